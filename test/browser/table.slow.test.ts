import type { Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workbook } from '../table/reading.js';
import { executable } from './chromium.js';
import { address, launch, serve } from './pages.js';
import { tableJob } from './tableJob.js';

const header = ['temp', 'catalyst', 'solvent', 'a', 'b', 'c', 'yield'];
const rows: readonly (readonly (number | string | null)[])[] = [
  [20, 'A', 'water', 0.2, 0.3, 0.5, 1.5],
  [35.5, 'B', 'ethanol', 0.1, 0.9, 0, 2.25],
  [null, 'A', 'ethanol', 0.7, 0.3, 0, 3.1],
  [60, 'C "new"', 'water', 0, 0.35, 0.65, 1e-3],
  [90, 'B', 'ethanol', 0.6, 0, 0.4, 7],
  [90, 'B', 'ethanol', 0.6, 0, 0.4, 8],
  [45, 'Ä', 'water', 0.3, 0.3, 0.4, null],
];
const quote = (cell: number | string | null) =>
  typeof cell === 'string' ? `"${cell.replaceAll('"', '""')}"` : String(cell ?? '');
const csv = [header, ...rows].map((row) => row.map(quote).join(',')).join('\n');

const parquet = new Uint8Array(
  parquetWriteBuffer({
    columnData: header.map((name, j) => ({
      name,
      data: rows.map((row) => row[j] ?? null),
      type: typeof rows[0]![j] === 'string' ? ('STRING' as const) : ('DOUBLE' as const),
    })),
  }),
);
const files = {
  'plain.csv': Buffer.from(csv),
  'utf16.csv': Buffer.from(`\ufeff${csv}`, 'utf16le'),
  'packed.csv.gz': gzipSync(csv),
  'columns.parquet': Buffer.from(parquet),
  'sheet.xlsx': Buffer.from(workbook({ Runs: [header, ...rows] })),
};
const base64 = Object.fromEntries(
  Object.entries(files).map(([name, bytes]) => [name, bytes.toString('base64')]),
);
const wasm = '/node_modules/highs/build/highs.wasm';

/** Text has digits as they were written; Parquet and workbooks have numbers. */
const withoutDigits = (columns: readonly object[]) =>
  columns.map((column) => ({ ...column, decimals: undefined }));

describe.skipIf(!executable)('tables and spaces in a browser', () => {
  let browser: Browser;
  const servers: Server[] = [];

  beforeAll(async () => {
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    for (const server of servers) server.close();
  });

  async function inBrowser(server: Server, code: string): Promise<string> {
    servers.push(server);
    const tab = await browser.newPage();
    try {
      await tab.goto(address(server));
      return await tab.evaluate(`(async () => {
        const table = { ...(await import('/dist/table/index.js')), ...(await import('/dist/problem/index.js')) };
        const space = await import('/dist/space/index.js');
        const { tableJob } = await import('/test/browser/tableJob.js');
        ${code}
      })()`);
    } finally {
      await tab.close();
    }
  }

  const run = `return tableJob(table, space, ${JSON.stringify(base64)});`;

  it('are the same as in Node, bit for bit, from every format', async () => {
    const here = JSON.parse(
      await tableJob(
        { ...(await import('../../dist/table/index.js')), ...(await import('../../dist/problem/index.js')) },
        await import('../../dist/space/index.js'),
        base64,
      ),
    );
    const asked: string[] = [];
    const there = JSON.parse(await inBrowser(await serve({ asked: (path) => asked.push(path) }), run));
    expect(there).toEqual(here);
    expect(asked).toContain(wasm);
    for (const name of Object.keys(files)) {
      expect(here[name].asFile.rows).toBe(7);
      expect(withoutDigits(here[name].asFile.columns)).toEqual(
        withoutDigits(here['plain.csv'].asFile.columns),
      );
      expect(here[name].asFile).toEqual(here[name].asBytes);
      expect(here[name].broken).toEqual([]);
    }
    expect(here.feasible.feasible).toBe(true);
    expect(here.infeasible.feasible).toBe(false);
  });

  const decide = `
    const all = [2, 4].map((weight, column) => ({ column, weight }));
    const answer = await space.decideFeasibility({
      columns: all.map(() => ({ kind: 'continuous', lower: 0, upper: 9, step: 1 })),
      linear: [{ terms: all, relation: '=', bound: 5, label: 'odd' }],
    }).catch((error) => error.name + ': ' + error.message);
    return JSON.stringify(answer);`;

  it('find the solver where the page says it is', async () => {
    const asked: string[] = [];
    const server = await serve({
      moved: { [wasm]: null, '/assets/solver.wasm': wasm },
      asked: (path) => asked.push(path),
    });
    const answer = await inBrowser(server, `space.solverFile('/assets/solver.wasm');${decide}`);
    expect(JSON.parse(answer)).toMatchObject({ feasible: false });
    expect(asked).toContain('/assets/solver.wasm');
    expect(asked).not.toContain(wasm);
  });

  it('say what to do where the solver is not served', async () => {
    const answer = JSON.parse(await inBrowser(await serve({ moved: { [wasm]: null } }), decide));
    expect(answer).toMatch(
      /^ArgumentError: highs.wasm, the solver, could not be loaded; serve it and say where with solverFile\(url\)/,
    );
  });
});
