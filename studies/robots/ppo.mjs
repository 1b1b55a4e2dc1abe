// Proximal policy optimisation (Schulman et al. 2017, arXiv:1707.06347) for networks of 64 units: plain loops, because
// networks this small spend their time in the simulator.

/** @typedef {Pick<import('../../dist/numeric/index.js').Stream, 'normal' | 'uniform' | 'permutation'>} Stream */

/** Two layers of tanh and a linear one, for a block of rows at a time. Weights are in x out, row-major. */
class Network {
  /** @param {readonly [number, number, number, number]} sizes @param {number} most rows @param {number} extra numbers */
  constructor(sizes, most, extra = 0) {
    this.sizes = sizes;
    let at = 0;
    this.layers = [0, 1, 2].map((l) => {
      const [n, m] = [/** @type {number} */ (sizes[l]), /** @type {number} */ (sizes[l + 1])];
      const layer = { n, m, weights: at, biases: at + n * m };
      at += n * m + m;
      return layer;
    });
    this.extra = at;
    this.values = new Float64Array(at + extra);
    this.slopes = new Float64Array(at + extra);
    this.outputs = this.layers.map(({ m }) => new Float64Array(most * m));
    this.errors = this.layers.map(({ m }) => new Float64Array(most * m));
  }

  /** Orthogonal rows or columns, times a gain for each layer; biases 0. @param {Stream} stream @param {number[]} gains */
  draw(stream, gains) {
    this.layers.forEach(({ n, m, weights }, l) => {
      const [short, long] = [Math.min(n, m), Math.max(n, m)];
      /** @type {Float64Array[]} */
      const basis = [];
      while (basis.length < short) {
        const v = Float64Array.from({ length: long }, () => stream.normal());
        for (let pass = 0; pass < 2; pass++)
          for (const u of basis) {
            const dot = u.reduce((sum, value, i) => sum + value * /** @type {number} */ (v[i]), 0);
            for (let i = 0; i < long; i++) v[i] -= dot * u[i];
          }
        const norm = Math.sqrt(v.reduce((sum, value) => sum + value * value, 0));
        basis.push(v.map((value) => value / norm));
      }
      for (let i = 0; i < n; i++)
        for (let j = 0; j < m; j++)
          this.values[weights + i * m + j] = gains[l] * (n < m ? basis[i][j] : basis[j][i]);
    });
  }

  /** @param {Float64Array} input @param {number} rows @returns {Float64Array} rows x the last size */
  forward(input, rows) {
    const { values } = this;
    let x = input;
    for (let l = 0; l < 3; l++) {
      const { n, m, weights, biases } = this.layers[l];
      const out = this.outputs[l];
      for (let r = 0; r < rows; r++) {
        const o = r * m;
        for (let j = 0; j < m; j++) out[o + j] = values[biases + j];
        // four inputs at a time: fewer loads and stores for the same products
        let i = 0;
        for (; i + 4 <= n; i += 4) {
          const at = r * n + i;
          const a = x[at];
          const b = x[at + 1];
          const c = x[at + 2];
          const d = x[at + 3];
          const row = weights + i * m;
          for (let j = 0; j < m; j++) {
            const w = row + j;
            out[o + j] += a * values[w] + b * values[w + m] + c * values[w + 2 * m] + d * values[w + 3 * m];
          }
        }
        for (; i < n; i++) {
          const value = x[r * n + i];
          const row = weights + i * m;
          for (let j = 0; j < m; j++) out[o + j] += value * values[row + j];
        }
        if (l < 2) for (let j = 0; j < m; j++) out[o + j] = Math.tanh(out[o + j]);
      }
      x = out;
    }
    return x;
  }

  /** Adds to `slopes` what errors of the last layer (in `errors[2]`) say. @param {Float64Array} input @param {number} rows */
  backward(input, rows) {
    const { values, slopes } = this;
    for (let l = 2; l >= 0; l--) {
      const { n, m, weights, biases } = this.layers[l];
      const error = this.errors[l];
      const x = l === 0 ? input : this.outputs[l - 1];
      const below = l === 0 ? undefined : this.errors[l - 1];
      for (let r = 0; r < rows; r++) for (let j = 0; j < m; j++) slopes[biases + j] += error[r * m + j];
      // four rows at a time; `rows` is a multiple of 4
      for (let r = 0; r < rows; r += 4) {
        const e = r * m;
        for (let i = 0; i < n; i++) {
          const at = r * n + i;
          const a = x[at];
          const b = x[at + n];
          const c = x[at + 2 * n];
          const d = x[at + 3 * n];
          const row = weights + i * m;
          for (let j = 0; j < m; j++) {
            const f = e + j;
            slopes[row + j] += a * error[f] + b * error[f + m] + c * error[f + 2 * m] + d * error[f + 3 * m];
          }
          if (!below) continue;
          let s = 0;
          let t = 0;
          let u = 0;
          let v = 0;
          for (let j = 0; j < m; j++) {
            const f = e + j;
            const value = values[row + j];
            s += value * error[f];
            t += value * error[f + m];
            u += value * error[f + 2 * m];
            v += value * error[f + 3 * m];
          }
          below[at] = s * (1 - a * a);
          below[at + n] = t * (1 - b * b);
          below[at + 2 * n] = u * (1 - c * c);
          below[at + 3 * n] = v * (1 - d * d);
        }
      }
    }
  }
}

/** Kingma and Ba 2015. @param {Network} network @param {number} limit of the gradient's norm */
function adamOf({ values, slopes }, limit) {
  const mean = new Float64Array(values.length);
  const square = new Float64Array(values.length);
  let t = 0;
  return (/** @type {number} */ rate) => {
    t += 1;
    let norm = 0;
    for (let i = 0; i < slopes.length; i++) norm += slopes[i] * slopes[i];
    const shrink = Math.min(1, limit / (Math.sqrt(norm) + 1e-8));
    const size = (rate * Math.sqrt(1 - 0.999 ** t)) / (1 - 0.9 ** t);
    for (let i = 0; i < values.length; i++) {
      const g = slopes[i] * shrink;
      mean[i] += 0.1 * (g - mean[i]);
      square[i] += 0.001 * (g * g - square[i]);
      values[i] -= (size * mean[i]) / (Math.sqrt(square[i]) + 1e-8);
      slopes[i] = 0;
    }
  };
}

/**
 * @typedef {object} World what a policy is trained in
 * @property {Float64Array} observation
 * @property {boolean} isOver
 * @property {(noise?: () => number) => void} reset
 * @property {(action: Float64Array) => number} step its reward
 */

export const ppoDefaults = {
  /** Steps between two updates. */
  batch: 1000,
  epochs: 4,
  /** The policy is yielded after each so many epochs. */
  every: 2,
  /** Updates after which the rate would have fallen to 0. */
  horizon: 100,
  /** Of an update's steps, a multiple of 4. */
  rows: 40,
  rate: 6e-4,
  discount: 0.99,
  lambda: 0.95,
  clip: 0.2,
  logSpread: -0.5,
  /** Steps after which a world is begun anew. */
  longest: 1000,
};

/**
 * Trains a policy for so many updates and yields its numbers now and then: weights and biases of three layers, then the
 * logarithms of the spreads of actions. The arrays are the trainer's own; copy them.
 * @param {World} world @param {number} observed @param {number} actions @param {Stream} stream @param {number} updates
 * @param {Partial<typeof ppoDefaults>} [options]
 */
export function* ppo(world, observed, actions, stream, updates, options) {
  const { batch, epochs, every, horizon, rows, rate, discount, lambda, clip, logSpread, longest } = {
    ...ppoDefaults,
    ...options,
  };
  const policy = new Network([observed, 64, 64, actions], rows, actions);
  const critic = new Network([observed, 64, 64, 1], batch);
  policy.draw(stream, [Math.SQRT2, Math.SQRT2, 0.01]);
  critic.draw(stream, [Math.SQRT2, Math.SQRT2, 1]);
  const spread = policy.values.subarray(policy.extra);
  spread.fill(logSpread);
  const stepPolicy = adamOf(policy, 0.5);
  const stepCritic = adamOf(critic, 0.5);

  const seen = new Float64Array(batch * observed);
  const taken = new Float64Array(batch * actions);
  const drawn = new Float64Array(batch * actions); // standard normals
  const rewards = new Float64Array(batch);
  const ends = new Uint8Array(batch); // 1: fell, 2: time was up
  const after = new Float64Array(batch * observed); // seen at such an end
  const advantages = new Float64Array(batch);
  const targets = new Float64Array(batch);
  const part = { seen: new Float64Array(rows * observed) };
  const action = new Float64Array(actions);
  const one = new Float64Array(observed);
  const noise = () => (stream.uniform() * 2 - 1) * 0.005;

  // Values are learned in units of the spread of discounted returns seen so far.
  let [count, mean, moment, running] = [0, 0, 0, 0];
  let unit = 1;
  let age = 0;
  world.reset(noise);

  for (let update = 0; update < updates; update++) {
    for (let t = 0; t < batch; t++) {
      one.set(world.observation);
      seen.set(one, t * observed);
      const out = policy.forward(one, 1);
      for (let k = 0; k < actions; k++) {
        const z = stream.normal();
        drawn[t * actions + k] = z;
        action[k] = out[k] + Math.exp(spread[k]) * z;
        taken[t * actions + k] = action[k];
      }
      rewards[t] = world.step(action);
      age += 1;
      running = discount * running + rewards[t];
      count += 1;
      const gap = running - mean;
      mean += gap / count;
      moment += gap * (running - mean);
      ends[t] = world.isOver ? 1 : age >= longest ? 2 : 0;
      if (ends[t] || t === batch - 1) after.set(world.observation, t * observed);
      if (ends[t]) {
        world.reset(noise);
        age = 0;
        running = 0;
      }
    }
    const next = Math.sqrt(moment / count) + 1e-8;
    // The critic goes on saying the same when its unit changes.
    for (let i = critic.layers[2].weights; i < critic.extra; i++) critic.values[i] *= unit / next;
    unit = next;

    // Schulman et al. 2016, generalised advantages
    const values = Float64Array.from(critic.forward(seen, batch));
    let carry = 0;
    for (let t = batch - 1; t >= 0; t--) {
      const isLast = ends[t] !== 0 || t === batch - 1;
      const ahead =
        ends[t] === 1
          ? 0
          : isLast
            ? critic.forward(after.subarray(t * observed, (t + 1) * observed), 1)[0]
            : values[t + 1];
      const error = rewards[t] / unit + discount * ahead - values[t];
      carry = error + (isLast ? 0 : discount * lambda * carry);
      advantages[t] = carry;
      targets[t] = values[t] + carry;
    }
    const centre = advantages.reduce((sum, a) => sum + a, 0) / batch;
    const width = Math.sqrt(advantages.reduce((sum, a) => sum + (a - centre) ** 2, 0) / batch) + 1e-8;

    const before = Float64Array.from(spread);
    const left = 1 - update / horizon;
    for (let epoch = 0; epoch < epochs; epoch++) {
      const order = stream.permutation(batch);
      for (let start = 0; start + rows <= batch; start += rows) {
        for (let r = 0; r < rows; r++) {
          const t = order[start + r];
          part.seen.set(seen.subarray(t * observed, (t + 1) * observed), r * observed);
        }
        const out = policy.forward(part.seen, rows);
        const guess = critic.forward(part.seen, rows);
        for (let r = 0; r < rows; r++) {
          const t = order[start + r];
          let log = 0;
          for (let k = 0; k < actions; k++) {
            const z = (taken[t * actions + k] - out[r * actions + k]) / Math.exp(spread[k]);
            const old = drawn[t * actions + k];
            log += (old * old - z * z) / 2 + before[k] - spread[k];
          }
          const ratio = Math.exp(log);
          const a = (advantages[t] - centre) / width;
          const isClipped = a > 0 ? ratio > 1 + clip : ratio < 1 - clip;
          const push = isClipped ? 0 : (-a * ratio) / rows;
          for (let k = 0; k < actions; k++) {
            const size = Math.exp(spread[k]);
            const z = (taken[t * actions + k] - out[r * actions + k]) / size;
            policy.errors[2][r * actions + k] = (push * z) / size;
            policy.slopes[policy.extra + k] += push * (z * z - 1);
          }
          critic.errors[2][r] = (guess[r] - targets[t]) / rows;
        }
        policy.backward(part.seen, rows);
        critic.backward(part.seen, rows);
        stepPolicy(rate * left);
        stepCritic(rate * 3 * left);
      }
      if ((epoch + 1) % every === 0) yield policy.values;
    }
  }
}
