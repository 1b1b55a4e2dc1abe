import { describe, expect, it } from 'vitest';
import { NetworkJudge } from '../../src/judging/networkJudge.js';
import { CrossFit, foldsOf } from '../../src/models/crossFit.js';
import { fitQuantizer, labelsOf } from '../../src/models/quantizer.js';
import { fromScale, type Response, responsesFor } from '../../src/models/response.js';
import { openEngine, rootKey, Stream, spearman, topIndices } from '../../src/numeric/index.js';
import { encode, fitEncoding } from '../../src/search/encoding.js';
import { evenly } from '../../src/search/rowSubset.js';
import type { Dataset, Space } from '../../src/space/space.js';

const head = { bins: 10, scale: 0.1 };
const space: Space = {
  columns: [
    { kind: 'continuous', lower: -2, upper: 2 },
    { kind: 'continuous', lower: -2, upper: 2 },
  ],
};

/** y = x0 - x1 with a little noise. */
function slope(rows: number): Dataset {
  const stream = new Stream(rootKey(3));
  const x = Float64Array.from({ length: 2 * rows }, () => 4 * stream.uniform() - 2);
  const y = Float64Array.from({ length: rows }, (_, i) => x[2 * i]! - x[2 * i + 1]! + 0.05 * stream.normal());
  return { x, y };
}

function specOf(data: Dataset) {
  const encoding = fitEncoding(data, space, { box: null });
  const quantizer = fitQuantizer(data.y, { bins: head.bins, headroom: 0.3 });
  const spec = {
    encoding,
    head,
    hidden: [16],
    parameters: encode(encoding, data.x),
    labels: labelsOf(data.y, quantizer),
    folds: foldsOf(data.y.length, 4, rootKey(1)),
    top: Int32Array.from(topIndices(data.y, 20)),
    networksPerGroup: 2,
    minibatch: 32,
  };
  return { spec, quantizer };
}

describe('folds', () => {
  it('are of nearly one size and differ with the key', () => {
    const folds = foldsOf(10, 4, rootKey(0));
    const sizes = [0, 1, 2, 3].map((fold) => folds.filter((own) => own === fold).length);
    expect(sizes).toEqual([3, 3, 2, 2]);
    expect([...foldsOf(10, 4, rootKey(0))]).toEqual([...folds]);
    expect([...foldsOf(10, 4, rootKey(1))]).not.toEqual([...folds]);
    expect(() => foldsOf(3, 4, rootKey(0))).toThrow('3 rows cannot be cut into 4 folds');
  });

  it('are drawn from evenly', () => {
    expect([...evenly(10, 4)]).toEqual([0, 2, 5, 7]);
    expect([...evenly(3, 10)]).toEqual([0, 1, 2]);
  });
});

describe('cross-fitted networks', () => {
  it('never learn from the rows they leave out', async () => {
    await using engine = await openEngine({ kernel: 'reference', threads: 1 });
    const data = slope(60);
    const { spec } = specOf(data);
    const locations = async (labels: Int32Array) => {
      const networks = new CrossFit(engine, { ...spec, labels });
      networks.initialize(rootKey(7));
      await networks.train(20, 0.01);
      const mu = await networks.locations(Float64Array.of(0.3, -0.2));
      networks.dispose();
      return Array.from(mu);
    };
    const before = await locations(spec.labels);
    // the labels of fold 0 and, separately, of the best rows become nonsense
    const inFold = spec.labels.map((label, i) => (spec.folds[i >> 1] === 0 ? 0 : label));
    const after = await locations(inFold);
    const groups = before.map((_, network) => network % 5);
    expect(before.length).toBe(10);
    before.forEach((mu, i) => {
      if (groups[i] === 0) expect(after[i]).toBe(mu);
      else expect(after[i]).not.toBe(mu);
    });
    const isTop = new Set(spec.top);
    const atTop = await locations(spec.labels.map((label, i) => (isTop.has(i >> 1) ? 0 : label)));
    before.forEach((mu, i) => {
      if (groups[i] === 4) expect(atTop[i]).toBe(mu);
      else expect(atTop[i]).not.toBe(mu);
    });
  });

  it('go on bit for bit, and are read out from their weights alone', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 2 });
    const { spec } = specOf(slope(80));
    const whole = new CrossFit(engine, spec);
    whole.initialize(rootKey(2));
    await whole.train(30, 0.01);
    const cut = new CrossFit(engine, spec);
    cut.initialize(rootKey(2));
    await cut.train(11, 0.01);
    const state = structuredClone(cut.state());
    const resumed = new CrossFit(engine, spec);
    resumed.restore(state);
    await resumed.train(19, 0.01);
    const at = Float64Array.of(0.5, 0.5, -1, 1);
    const expected = Array.from(await whole.locations(at));
    expect(Array.from(await resumed.locations(at))).toEqual(expected);
    const read = new CrossFit(engine, spec);
    read.loadWeights(whole.weights());
    expect(Array.from(await read.locations(at))).toEqual(expected);
    expect(() => read.loadWeights({})).toThrow('layer0.weight needs');
  });

  it('predict rows they have not seen, and disagree far away', async () => {
    await using engine = await openEngine({ kernel: 'wasm', threads: 1 });
    const data = slope(200);
    const { spec, quantizer } = specOf(data);
    const networks = new CrossFit(engine, spec);
    networks.initialize(rootKey(2));
    const untrained = await networks.unseenLoss(1000);
    await networks.train(300, 0.01);
    expect(await networks.unseenLoss(1000)).toBeLessThan(0.5 * untrained);
    const [response] = responsesFor(data.y) as [Response];
    const judge = new NetworkJudge(networks, quantizer, response);
    const unseen = await judge.heldOut(Int32Array.from(data.y.keys()));
    expect(spearman(unseen.mean, data.y)).toBeGreaterThan(0.97);
    const hidden = await judge.withoutTop(spec.top);
    const ofTop = Array.from(spec.top, (row) => data.y[row]!);
    expect(spearman(hidden.mean, ofTop)).toBeGreaterThan(0.5);
    // on the scale of the judges, and never beyond the bins
    const near = await judge.read(Float64Array.of(0.1, 0.1, 1, -1));
    expect(fromScale(response, near.mean[0]!)).toBeCloseTo(0, 0);
    expect(fromScale(response, near.mean[1]!)).toBeCloseTo(2, 0);
    const far = await judge.read(Float64Array.of(400, -400));
    expect(fromScale(response, far.mean[0]!)).toBeLessThanOrEqual(quantizer.high + 1e-9);
    expect(near.deviation[0]!).toBeGreaterThanOrEqual(1e-3);
  });
});
