import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presetOptions } from '../../src/algorithm.js';
import { nemo } from '../../src/algorithms/index.js';
import { DataDistance } from '../../src/bench/dataDistance.js';
import { runTrial, type TrialProgress, type TrialSpec, trialId } from '../../src/bench/trial.js';
import {
  narrow,
  parseSeeds,
  parseSpec,
  parseTasks,
  parseVariant,
  planTrials,
  withSet,
} from '../../src/bench/trialPlan.js';
import { type Engine, openEngine } from '../../src/numeric/index.js';
import { taskOf } from '../../src/tasks/index.js';
import { memorySource } from '../tasks/sources.js';

const options = {
  ...presetOptions(nemo, 'lockstep'),
  pretrainSteps: 40,
  steps: 20,
  batchSize: 16,
  hidden: [16],
};
const spec: TrialSpec = {
  task: 'branin-v1',
  algorithm: 'nemo',
  variant: 'small',
  algorithmVersion: nemo.version,
  options: options as unknown as Record<string, unknown>,
  seed: 3,
  curve: { every: 10, withScores: true },
};

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ threads: 1 });
});
afterAll(() => engine.close());

describe('a trial', () => {
  it('scores the batch once at the declared step, with a curve on the way', async () => {
    const told: TrialProgress[] = [];
    const source = memorySource({});
    const result = await runTrial(spec, { engine, source, onProgress: (own) => told.push(own) });
    const task = await taskOf('branin-v1').open(source);
    expect(result.step).toBe(20);
    expect(result.scores).toHaveLength(16);
    expect(result.distances).toHaveLength(16);
    expect(result.range).toEqual(task.range);
    expect(result.visibleMax).toBe(Math.max(...task.data.y));
    expect(result.curve.map(({ iteration }) => iteration)).toEqual([0, 10, 20]);
    expect(result.curve.at(-1)).toMatchObject({ best: Math.max(...result.scores) });
    // NEMO keeps designs in single precision
    expect(result.curve[0]!.best! / result.visibleMax).toBeCloseTo(1, 6);
    expect(result.curve.every(({ watched }) => Object.values(watched).every(Number.isFinite))).toBe(true);
    expect(told.map(({ done }) => done)).toEqual(told.map(({ done }) => done).toSorted((a, b) => a - b));
    expect(new Set(told.map(({ stage }) => stage))).toEqual(new Set(['open', 'train', 'search', 'score']));

    await using second = await openEngine({ threads: 2 });
    const again = await runTrial(spec, { engine: second, source });
    expect(again).toEqual(result);
    const plain = { ...spec, curve: { every: 20, withScores: false } };
    const same = await runTrial(plain, { engine, source });
    expect(same.designsSha256).toBe(result.designsSha256);
    expect(same.curve.every(({ best }) => best === undefined)).toBe(true);
    const other = await runTrial({ ...spec, seed: 4 }, { engine, source });
    expect(other.designsSha256).not.toBe(result.designsSha256);
  });

  it('stops when it is told to', async () => {
    const controller = new AbortController();
    const stop = () => controller.abort(new Error('enough'));
    await expect(
      runTrial(spec, { engine, source: memorySource({}), signal: controller.signal, onProgress: stop }),
    ).rejects.toThrow('enough');
  });

  it('is named by what decides its result, in any order of options', () => {
    const turned = Object.fromEntries(Object.entries(spec.options).toReversed());
    expect(trialId({ ...spec, options: turned, variant: 'other words' })).toBe(trialId(spec));
    expect(trialId({ ...spec, seed: 4 })).not.toBe(trialId(spec));
    expect(trialId({ ...spec, algorithmVersion: '9.9.9' })).not.toBe(trialId(spec));
    expect(trialId({ ...spec, options: { ...spec.options, steps: 21 } })).not.toBe(trialId(spec));
  });

  it('measures the way to the nearest visible row', () => {
    const data = { x: Float64Array.from([0, 0, 2, 2]), y: Float64Array.from([0, 1]) };
    const column = { kind: 'continuous', lower: -10, upper: 10 } as const;
    // both columns have mean 1 and deviation 1
    const distance = new DataDistance(data, { columns: [column, column] });
    const distances = distance.of(Float64Array.from([2, 3, 0, 0]));
    expect(distances[0]).toBeCloseTo(Math.sqrt(1 / 2), 12);
    expect(distances[1]).toBe(0);
  });
});

describe('a plan', () => {
  it('reads seeds, tasks and variants as they are typed', () => {
    expect(parseSeeds('0-3')).toEqual([0, 1, 2, 3]);
    expect(parseSeeds('5, 0-1,1')).toEqual([5, 0, 1]);
    for (const text of ['', '3-1', 'a', '1-', '0-20000'])
      expect(() => parseSeeds(text)).toThrow('are no seeds');
    expect(parseTasks('branin-v1, levy50-v1')).toEqual(['branin-v1', 'levy50-v1']);
    expect(parseTasks('paper')).toEqual(
      expect.arrayContaining(['gfp-gp-v1', 'molecule-activity-forest-v1', 'superconductor-gbdt-v1']),
    );
    expect(() => parseTasks('branin')).toThrow('there is no task "branin"');
    expect(parseVariant('nemo@paper')).toEqual({ algorithm: 'nemo', variant: 'paper', options: {} });
    expect(() => parseVariant('nemo@papers')).toThrow('nemo has no preset "papers"; did you mean "paper"?');
    expect(() => parseVariant('nemo@best')).toThrow(
      'nemo has no preset "best"; it has defaults, tuned, paper',
    );
    expect(() => parseVariant('memo')).toThrow('there is no algorithm "memo"');
  });

  it("takes the paper's hyperparameters task by task", () => {
    const curve = { every: 50, withScores: false };
    const variants = [parseVariant('nemo@paper')];
    const plan = planTrials({
      tasks: ['gfp-gp-v1', 'superconductor-gbdt-v1'],
      variants,
      seeds: [0, 1],
      curve,
    });
    expect(plan.map(({ task, seed, options: own }) => [task, seed, own.modelRate])).toEqual([
      ['gfp-gp-v1', 0, 0.005],
      ['superconductor-gbdt-v1', 0, 0.05],
      ['gfp-gp-v1', 1, 0.005],
      ['superconductor-gbdt-v1', 1, 0.05],
    ]);
    expect(() => planTrials({ tasks: ['branin-v1'], variants, seeds: [0], curve })).toThrow(
      /^nemo@paper has options for Superconductor, .*, not for branin-v1$/,
    );
  });

  it('puts options of --set on top of a preset, under a name that says so', () => {
    const curve = { every: 50, withScores: false };
    const tuned = withSet(parseVariant('nemo@tuned'), ['modelRate=0', 'hidden=8,8']);
    const [trial] = planTrials({ tasks: ['superconductor-gbdt-v1'], variants: [tuned], seeds: [0], curve });
    expect(trial).toMatchObject({
      variant: 'tuned, modelRate=0 hidden=8,8',
      options: { ...presetOptions(nemo, 'tuned', 'Superconductor'), modelRate: 0, hidden: [8, 8] },
    });
    expect(withSet(parseVariant('nemo'), ['steps=3']).variant).toBe('steps=3');
    expect(withSet(parseVariant('nemo@paper'), [])).toEqual(parseVariant('nemo@paper'));
    expect(() => withSet(parseVariant('gp-bo'), ['modelRate=0'])).toThrow(
      '--set "modelRate=0": gp-bo has no option "modelRate"',
    );
    const odd = { algorithm: 'nemo', variant: 'odd', options: { steps: 1.5 } };
    expect(() => planTrials({ tasks: ['branin-v1'], variants: [odd], seeds: [0], curve })).toThrow(
      'nemo: steps is 1.5; expected a positive integer',
    );
  });

  it.each<[object, string]>([
    [
      { options: { head: 'softmax' } },
      `variants[1].options.head: nemo: head is "softmax"; expected 'logistic'`,
    ],
    [
      { onTask: { 'branin-v1': { box: 0.5 } } },
      'variants[1].onTask.branin-v1.box: nemo: box is 0.5; expected',
    ],
    [{ onTask: { branin: {} } }, 'variants[1].onTask: there is no task "branin"; did you mean "branin-v1"?'],
    [{ algorithm: 'memo' }, 'variants[1].algorithm: there is no algorithm "memo"; did you mean "nemo"?'],
    [{ preset: 'tunes' }, 'variants[1].preset: nemo has no preset "tunes"; did you mean "tuned"?'],
  ])('names the place of what is wrong in a file: %j', (change, words) => {
    const first = { algorithm: 'nemo', variant: 'defaults' };
    const text = JSON.stringify({
      ...{ title: 'a', question: 'b', tasks: ['branin-v1'], seeds: '0' },
      curve: { every: 50, withScores: false },
      variants: [first, { ...first, ...change }],
    });
    expect(() => parseSpec(text, 'odd.json')).toThrow(`odd.json: ${words}`);
  });

  it('takes the preset that a file names, under any name', () => {
    const text = JSON.stringify({
      ...{ title: 'a', question: 'b', tasks: ['gfp-gp-v1'], seeds: '0' },
      curve: { every: 50, withScores: false },
      variants: [{ algorithm: 'nemo', variant: 'ours, longer', preset: 'tuned', options: { steps: 100 } }],
    });
    expect(planTrials(parseSpec(text, 'a.json'))).toMatchObject([
      { variant: 'ours, longer', options: { ...presetOptions(nemo, 'tuned', 'GFP'), steps: 100 } },
    ]);
  });

  it('can be a file', () => {
    const text = JSON.stringify({
      title: 'Effect of NML',
      question: 'Does it help?',
      tasks: ['branin-v1'],
      seeds: '0-1',
      curve: { every: 50, withScores: true },
      options: { startFrom: 'worst' },
      variants: [
        { algorithm: 'nemo', variant: 'NML' },
        { algorithm: 'nemo', variant: 'No NML', options: { modelRate: 0 } },
      ],
    });
    const plan = planTrials(parseSpec(text, 'nml.json'));
    expect(plan).toHaveLength(4);
    expect(plan[1]).toMatchObject({
      variant: 'No NML',
      options: { modelRate: 0, startFrom: 'worst', bins: 20 },
    });
    expect(() => parseSpec(text.replace('modelRate', 'modelRat'), 'nml.json')).toThrow(
      'nemo has no option "modelRat"',
    );
    const further = { algorithm: 'nemo', variant: 'defaults', onTask: { 'branin-v1': { steps: 7 } } };
    const two = { ...JSON.parse(text), tasks: ['branin-v1', 'hartmann6-v1'], variants: [further] };
    const spec = parseSpec(JSON.stringify(two), 'two.json');
    expect(planTrials(spec).map(({ options: own }) => own.steps)).toEqual([7, 1000, 7, 1000]);
    const ofAll = { ...two, onTask: { 'branin-v1': { steps: 3, bins: 6 }, 'hartmann6-v1': { steps: 9 } } };
    expect(
      planTrials(parseSpec(JSON.stringify(ofAll), 'all.json')).map(({ options: own }) => [
        own.steps,
        own.bins,
      ]),
    ).toEqual([7, 9, 7, 9].map((steps) => [steps, steps === 7 ? 6 : 20]));
    const part = {
      tasks: ['hartmann6-v1'],
      seeds: [5],
      rows: ['nemo@defaults'],
    };
    expect(planTrials(narrow(spec, part))).toMatchObject([{ task: 'hartmann6-v1', seed: 5 }]);
    expect(() => narrow(spec, { tasks: ['gfp-gp-v1'] })).toThrow(
      '"Effect of NML" has no task "gfp-gp-v1"; it has branin-v1, hartmann6-v1',
    );
    const rowsOf = (rows: string[]) =>
      narrow(parseSpec(text, 'nml.json'), { rows }).variants.map(({ variant }) => variant);
    expect(rowsOf(['nemo'])).toEqual(['NML', 'No NML']);
    expect(rowsOf(['nemo@No NML'])).toEqual(['No NML']);
    expect(() => rowsOf(['nemo', 'forward'])).toThrow(
      '"Effect of NML" has no row "forward"; it has nemo, nemo@NML, nemo@No NML',
    );
    expect(() => parseSpec(JSON.stringify(two).replace('steps', 'step'), 'two.json')).toThrow(
      'nemo has no option "step"',
    );
    expect(() => parseSpec('{', 'nml.json')).toThrow('nml.json: ');
    expect(() => parseSpec('{"title":1}', 'nml.json')).toThrow('nml.json: title: ');
  });
});

describe('spec files', () => {
  const studies = new URL('../../studies/', import.meta.url);
  const files = readdirSync(studies, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\/spec[^/]*\.json$|^paper-ablations\/.*\.json$/.test(name));
  it('are there', () => expect(files).toHaveLength(14));

  it.each(files)('%s can be run', (name) => {
    const spec = parseSpec(readFileSync(new URL(name, studies), 'utf8'), name);
    const plan = planTrials(spec);
    expect(plan).toHaveLength(spec.tasks.length * spec.variants.length * spec.seeds.length);
    expect(new Set(plan.map(trialId)).size).toBe(plan.length);
    expect(spec.curve.every).toBe(name.startsWith('nemo-rule') ? 100 : 50);
  });
});
