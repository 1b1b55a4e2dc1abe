// The committed tables are those of the committed records.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { oneVersion } from '../../src/bench/algorithmVersions.js';
import { compareRanks, compareRows } from '../../src/bench/comparison.js';
import { compareWithNulls } from '../../src/bench/nullComparison.js';
import { isNull } from '../../src/bench/nulls/index.js';
import { nullTables } from '../../src/bench/nullTables.js';
import { readRecords } from '../../src/bench/records.js';
import { withSecondScorers } from '../../src/bench/rescore.js';
import { rowName, summarize } from '../../src/bench/summary.js';
import { formatTables } from '../../src/bench/tableFormats.js';
import { resultTables } from '../../src/bench/tables.js';
import { trialId } from '../../src/bench/trial.js';
import { parseSpec } from '../../src/bench/trialPlan.js';
import { noModelText } from '../../studies/no-model/table.mjs';
import { resultsPage } from '../../studies/resultsPage.mjs';
import { besideNulls } from '../../studies/studyRecords.mjs';

const bench = {
  oneVersion,
  summarize,
  rowName,
  compareRanks,
  compareRows,
  compareWithNulls,
  nullTables,
  resultTables,
  formatTables,
  isNull,
  parseSpec,
  withSecondScorers,
} as unknown as Parameters<typeof resultsPage>[0];

it('the page of results is made of the records', () => {
  const page = readFileSync(new URL('../../docs/results.md', import.meta.url), 'utf8');
  expect(page).toBe(resultsPage(bench));
  // for readers: what was asked and what was found, before the tables
  const [words = ''] = page.split('\n## Tables\n');
  expect(words).not.toContain('\n|');
  expect(words.split(/\s+/).length).toBeLessThanOrEqual(600);
});

it('the earlier study without a model shows its records', async () => {
  const { records } = await readRecords(fileURLToPath(new URL('../../studies/paper-tasks', import.meta.url)));
  const page = readFileSync(new URL('../../studies/no-model/README.md', import.meta.url), 'utf8');
  expect(page).toContain(noModelText(summarize(records), compareRanks));
});

const studies = fileURLToPath(new URL('../../studies/', import.meta.url));
const folders = readdirSync(studies).filter((name) =>
  ['tables.md', 'records.jsonl'].every((file) => existsSync(`${studies}${name}/${file}`)),
);

describe.each(folders)('studies/%s', (name) => {
  it('has whole records, each trial once, made at a commit', async () => {
    const { records, torn } = await readRecords(`${studies}${name}`);
    expect(torn).toEqual([]);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    for (const { made, result } of records) {
      expect(made.commit).toMatch(/^[0-9a-f]{12}/);
      expect(result.scores).toHaveLength(128);
      expect(result.scores.every(Number.isFinite)).toBe(true);
    }
    const withScores = records.some(({ result }) => result.curve[0]?.best !== undefined);
    const [first] = records;
    const spec = `${studies}${name}/spec.json`;
    const every = existsSync(spec) ? (parseSpec(readFileSync(spec, 'utf8'), spec).curve?.every ?? 50) : 50;
    const curve = { every, withScores };
    expect(trialId({ ...first!, curve })).toBe(first!.id);
  });

  it('shows what they say', () => {
    const records = besideNulls(bench, name);
    const tables = formatTables(
      [...resultTables(summarize(records), { scale: 'raw' }), ...nullTables(compareWithNulls(records))],
      'md',
    ).trim();
    expect(readFileSync(`${studies}${name}/tables.md`, 'utf8')).toContain(tables);
  });
});
