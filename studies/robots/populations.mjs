// Populations of the package's CMA-ES, for searches that may ask the simulator.
import { cmaEsSettings, drawOffspring, nextGeneration, startCmaEs } from '../../dist/models/cmaEs.js';
import { rootKey, Stream } from '../../dist/numeric/index.js';

/**
 * Maximises. The populations follow from the seed and the scores, so a search is resumed by giving it the scores again.
 * @param {{ start: ArrayLike<number>, scale: ArrayLike<number>, sigma: number, population: number, seed: number }} options
 *   `scale`: unit of each number; the first step is `sigma` units
 * @returns {Generator<Float64Array[], never, ArrayLike<number>>} populations; takes their scores
 */
export function* populations({ start, scale, sigma, population, seed }) {
  const n = start.length;
  const settings = cmaEsSettings(n, { lambda: population });
  const stream = new Stream(rootKey(seed));
  for (let state = startCmaEs(new Float64Array(n), sigma, settings); ; ) {
    const offspring = drawOffspring(state, settings, stream);
    const scores = yield Array.from({ length: population }, (_, k) =>
      Float64Array.from(start, (value, i) => value + (scale[i] ?? 1) * (offspring.x[k * n + i] ?? 0)),
    );
    state = nextGeneration(state, settings, offspring, scores);
  }
}
