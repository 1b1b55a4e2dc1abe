import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunDocument } from '../../src/design/runDocument.js';
import { renderReport } from '../../src/report/index.js';
import { oddDocuments } from '../report/oddDocuments.js';
import { sampleDocument } from '../report/sampleDocument.js';
import { executable } from './chromium.js';

/** Candidates with these settings; what differs from the nearest run are all of them. */
function withSettings(cells: Readonly<Record<string, string | number>>, goal: string): RunDocument {
  const sample = sampleDocument();
  const differences = Object.entries(cells).map(([column, to]) => ({
    column,
    from: typeof to === 'number' ? to + 1 : to.replaceAll('A', 'T'),
    to,
  }));
  return {
    ...sample,
    goal: { ...sample.goal, name: goal, goals: [{ column: goal, label: `max ${goal}`, kind: 'max' }] },
    data: { ...sample.data, columns: [] },
    bestKnown: { ...sample.bestKnown, cells },
    candidates: sample.candidates.map((one) => ({
      ...one,
      cells,
      trust: 'Stretch',
      reasons: ['farther from past rows than most of them are from each other'],
      nearest: { ...one.nearest, differences },
    })),
  };
}

const concreteLike = () =>
  withSettings(
    {
      Cement: 413.6,
      BlastFurnaceSlag: 232.7,
      FlyAsh: 32.9,
      Water: 153.88,
      Superplasticizer: 12.59,
      CoarseAggregate: 984.8,
      FineAggregate: 796.6,
      Age: 101,
    },
    'ConcreteCompressiveStrength',
  );

const sequenceLike = () =>
  withSettings(
    { promoter: 'ATGACTGAAGAATTTATTTATTGTATAATG', inducer: 0.12, host: 'BL21', temp: 36 },
    'fluorescence',
  );

describe.skipIf(!executable)('the report in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executable!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  /** Opens a report offline; `said` gathers what the browser complains about, and what it asks the network for. */
  async function open(html: string, width: number): Promise<{ page: Page; said: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.route('**/*', (route) => {
      if (route.request().url() === 'http://report.test/')
        return route.fulfill({ contentType: 'text/html', body: html });
      said.push(route.request().url());
      return route.abort();
    });
    await page.goto('http://report.test/');
    return { page, said };
  }

  const shown = {
    'a typical run': () => sampleDocument(),
    ...Object.fromEntries(
      ['several goals', 'texts of 200 characters', 'hostile texts', 'no candidates'].map((name) => [
        name,
        oddDocuments[name]!,
      ]),
    ),
  };

  it.each(Object.entries(shown))('%s fits from 380 to 1600 pixels and asks for nothing', async (_, build) => {
    const html = renderReport(build());
    for (const width of [380, 800, 1280, 1600]) {
      const { page, said } = await open(html, width);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      // Chromium asks for an icon by itself.
      expect(said.filter((text) => !text.includes('favicon'))).toEqual([]);
      await page.close();
    }
  });

  it.each([
    ['eight settings with long names', concreteLike],
    ['several goals', oddDocuments['several goals']!],
    ['a hundred settings', oddDocuments['two hundred candidates, a hundred columns']!],
    ['a sequence of 30 letters', sequenceLike],
  ])('%s: what to expect is seen without scrolling', async (_, build) => {
    const html = renderReport(build());
    for (const width of [390, 1000, 1280]) {
      const { page } = await open(html, width);
      const first = page.locator('tbody.candidate').first();
      for (const part of ['td.strong', 'td.bars svg', '.chip', '.more .nearest']) {
        const box = (await first.locator(part).boundingBox())!;
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(width);
      }
      if (width === 1280) expect((await first.boundingBox())!.height).toBeLessThan(130);
      await page.close();
    }
  });

  it('sorts its candidates', async () => {
    const { page } = await open(renderReport(sampleDocument()), 1280);
    const ranks = () => page.locator('table.candidates tbody.candidate th.rank').allTextContents();
    const byTemperature = sampleDocument()
      .candidates.toSorted((a, b) => Number(a.cells.temp) - Number(b.cells.temp))
      .map(({ row }) => String(row));
    const head = page.getByRole('button', { name: 'Sort by temp' });
    await head.click();
    expect(await ranks()).toEqual(byTemperature);
    await head.click();
    expect(await ranks()).toEqual(byTemperature.toReversed());
    await page.close();
  });

  it('prints on A4, candidates and the numbers behind them included', async () => {
    const { page } = await open(renderReport(sampleDocument()), 1280);
    await page.emulateMedia({ media: 'print' });
    // A4 without margins of 15 mm, at 96 pixels per inch.
    await page.setViewportSize({ width: 680, height: 1000 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(680);
    expect(await page.locator('details table').isVisible()).toBe(true);
    await page.close();
  });
});
