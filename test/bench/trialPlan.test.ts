// Rows of a benchmark are what their names say.
import { describe, expect, it } from 'vitest';
import { builtIn } from '../../src/bench/registry.js';
import { parseVariant, planTrials, withSet } from '../../src/bench/trialPlan.js';

const curve = { every: 50, withScores: false };

describe('--set', () => {
  it('is on top of the preset, and in the name of the row', () => {
    const row = withSet(parseVariant('nemo@tuned'), ['modelRate=0']);
    expect(row.variant).toBe('tuned, modelRate=0');
    const [trial] = planTrials({ tasks: ['superconductor-gbdt-v1'], variants: [row], seeds: [0], curve });
    const tuned = builtIn.presetOptions('nemo', 'tuned', 'superconductor-gbdt-v1');
    expect(tuned.modelRate).not.toBe(0);
    expect(tuned.steps).not.toBe(builtIn.algorithmOf('nemo').defaults.steps);
    expect(trial!.options).toEqual({ ...tuned, modelRate: 0 });
    expect(trial!.algorithmVersion).toBe(builtIn.algorithmOf('nemo').version);
  });

  it('names rows of the defaults by the option alone', () => {
    expect(withSet(parseVariant('forward'), ['steps=3', 'box=null']).variant).toBe('steps=3 box=null');
    expect(withSet(parseVariant('forward'), [])).toEqual(parseVariant('forward'));
  });
});
