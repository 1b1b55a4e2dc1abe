import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256Of } from '../../src/runs/runFiles.js';
import { Workplace } from '../cli/smallRun.js';
import { jsonLines, predictScript, python, runPython } from './python.js';
import { firstRows, sequenceTable } from './tables.js';

interface Row {
  readonly expected: number;
  readonly lo80: number;
  readonly hi80: number;
  readonly gamma: number;
  readonly better: number;
  readonly goals: readonly { expected: number; lo80: number; hi80: number }[];
}

const place = new Workplace();
const least = ['--effort', 'fast', '--set', 'steps=6', '--batch', '3'];

beforeAll(async () => {
  const table = sequenceTable(150);
  writeFileSync(join(place.folder, 'sequences.csv'), table);
  writeFileSync(join(place.folder, 'rows.csv'), firstRows(table, 20));
  for (const [out, ...goals] of [
    ['censored', 'max yield'],
    ['least', 'min cost'],
    ['several', 'max yield', 'min cost'],
  ]) {
    const asked = goals.flatMap((goal) => ['--goal', goal]);
    const run = place.start(['design', 'sequences.csv', ...asked, '--out', out!, ...least]);
    const { code } = await run.ended;
    expect([0, 3], run.stderr).toContain(code);
  }
});

function scored(run: string): string {
  const { status, stdout } = place.nemokit(['score', run, 'rows.csv', '--json']);
  expect(status).toBe(0);
  return stdout;
}

describe.skipIf(!python)('predict.py', () => {
  it.each(['censored', 'least', 'several'])('predicts as `nemokit score` does, of the run "%s"', (run) => {
    const { rows } = JSON.parse(scored(run)) as { rows: Row[] };
    const { status, stdout, stderr } = runPython(place.folder, [predictScript, run, 'rows.csv']);
    expect([status, stderr]).toEqual([0, '']);
    const predicted = jsonLines<Row>(stdout);
    const valuesOf = ({ expected, lo80, hi80, goals }: Row) => [
      ...[expected, lo80, hi80],
      ...goals.flatMap((goal) => [goal.expected, goal.lo80, goal.hi80]),
    ];
    expect(predicted.flatMap(valuesOf)).toBeAllClose(rows.flatMap(valuesOf), { rtol: 1e-6, atol: 1e-6 });
    expect(predicted.flatMap(({ gamma, better }) => [gamma, better])).toBeAllClose(
      rows.flatMap(({ gamma, better }) => [gamma, better]),
      { rtol: 1e-6, atol: 1e-6 },
    );
    expect(rows[0]!.goals).toHaveLength(run === 'several' ? 2 : 1);
  });
});

describe('a run folder whose model file is of another version', () => {
  beforeAll(() => {
    cpSync(join(place.folder, 'censored'), join(place.folder, 'older'), { recursive: true });
    const description = place.json('older', 'model.json');
    expect([description.modelVersion, description.reading.readingVersion]).toEqual([3, 3]);
    // a manifest of before checksums
    const { checksum: _, ...manifest } = place.json('older', 'manifest.json');
    manifest.manifestVersion = 2;
    const content = JSON.stringify({ ...description, modelVersion: 1 });
    writeFileSync(join(place.folder, 'older', 'model.json'), content);
    manifest.files['model.json'] = { bytes: content.length, sha256: sha256Of(content) };
    writeFileSync(join(place.folder, 'older', 'manifest.json'), JSON.stringify(manifest));
  });

  it('is refused by score', () => {
    const { status, stderr } = place.nemokit(['score', 'older', 'rows.csv']);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/version 1|modelVersion/);
  });

  it.skipIf(!python)('is refused by predict.py, with what to do', () => {
    const { status, stderr } = runPython(place.folder, [predictScript, 'older', 'rows.csv']);
    expect(status).toBe(1);
    expect(stderr).toContain('older: model.json is of another version; run it again');
  });
});
