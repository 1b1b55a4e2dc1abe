// Ids of trials are hashes of all options: a renamed option, or a changed default or preset, would change them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { versionOf } from '../../src/bench/algorithmVersions.js';
import type { TrialRecord } from '../../src/bench/records.js';
import { builtIn } from '../../src/bench/registry.js';
import { trialId } from '../../src/bench/trial.js';
import { parseSpec, planTrials } from '../../src/bench/trialPlan.js';
import { optionFaults } from '../../src/options/requireOptions.js';

const folder = new URL('../../studies/', import.meta.url);
const fileOf = (study: string, name: string) => new URL(`${study}/${name}`, folder);

function recordsOf(study: string): TrialRecord[] {
  const lines = readFileSync(fileOf(study, 'records.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as TrialRecord).filter(({ result }) => result !== undefined);
}

const studies = readdirSync(folder).filter(
  (name) => existsSync(fileOf(name, 'records.jsonl')) && recordsOf(name).length > 0,
);

describe.each(studies)('records of %s', (study) => {
  const records = recordsOf(study);
  const spec = fileOf(study, 'spec.json');
  const planned = existsSync(spec) ? parseSpec(readFileSync(spec, 'utf8'), 'spec.json') : null;
  const every = planned?.curve.every ?? 50;

  it('have the ids that their options give, and options that are allowed', () => {
    for (const record of records) {
      const withScores = record.result.curve.some(({ best }) => best !== undefined);
      expect(trialId({ ...record, curve: { every, withScores } })).toBe(record.id);
      const { algorithm, options } = record;
      expect(optionFaults(algorithm, builtIn.algorithmOf(algorithm).options, options)).toEqual([]);
    }
  });

  if (!planned) return; // the baselines have one spec file per task, and no preset
  it('of a preset have its options, with what the spec file changes', () => {
    // records may be of an earlier version of an algorithm, whose ids differ by it and by nothing else
    const versions = new Set(records.map(versionOf));
    const trials = new Map(
      planTrials(planned).flatMap((trial) =>
        [...versions].map((algorithmVersion) => [trialId({ ...trial, algorithmVersion }), trial] as const),
      ),
    );
    const found = records.filter(({ id }) => trials.has(id));
    expect(found.length).toBeGreaterThan(0);
    for (const { id, options } of found) expect(options).toEqual(trials.get(id)!.options);
  });
});
