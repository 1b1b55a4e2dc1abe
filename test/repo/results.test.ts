// The committed tables are those of the committed records.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compareRanks } from '../../src/bench/comparison.js';
import { readRecords } from '../../src/bench/records.js';
import { summarize } from '../../src/bench/summary.js';
import { formatTables } from '../../src/bench/tableFormats.js';
import { resultTables } from '../../src/bench/tables.js';
import { trialId } from '../../src/bench/trial.js';
import { noModelText } from '../../studies/no-model/table.mjs';

const studies = fileURLToPath(new URL('../../studies/', import.meta.url));
const folders = readdirSync(studies).filter((name) => existsSync(`${studies}${name}/tables.md`));

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
    const curve = { every: 50, withScores };
    expect(trialId({ ...first!, curve })).toBe(first!.id);
  });

  it('shows what they say', async () => {
    const { records } = await readRecords(`${studies}${name}`);
    const tables = formatTables(resultTables(summarize(records), { scale: 'raw' }), 'md').trim();
    expect(readFileSync(`${studies}${name}/tables.md`, 'utf8')).toContain(tables);
    const page = readFileSync(new URL('../../docs/results.md', import.meta.url), 'utf8');
    if (name !== 'paper-tasks') return;
    expect(page).toContain(tables);
    const floor = noModelText(summarize(records), compareRanks);
    expect(page).toContain(floor);
    expect(readFileSync(`${studies}no-model/README.md`, 'utf8')).toContain(floor);
  });
});
