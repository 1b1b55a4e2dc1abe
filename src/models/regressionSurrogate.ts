/** Regression networks as a surrogate that designs climb: their options, and what is climbed of them. */
import type { Engine } from '../numeric/engine.js';
import type { SearchSpace } from '../search/searchSpace.js';
import type { Dataset } from '../space/space.js';
import { type Aggregate, aggregateMeans } from './aggregate.js';
import { RegressionNetworks, type RegressionState } from './regressionNetworks.js';
import type { Surrogate } from './surrogateAscent.js';

/** How the networks of a surrogate are made and trained. */
export interface RegressionOptions {
  readonly hidden: readonly number[];
  readonly activation: 'softplus' | 'relu' | 'leakyRelu';
  readonly head: 'mean' | 'gaussian';
  readonly bootstrap: boolean;
  readonly trainRate: number;
  readonly minibatch: number;
  readonly batchSize: number;
}

/** The networks of Design-Bench's baselines: Keras' leaky ReLU. */
const LEAK = 0.3;

export function makeNetworks(
  engine: Engine,
  data: Dataset,
  search: SearchSpace,
  networks: number,
  { hidden, activation, head, minibatch, batchSize }: RegressionOptions,
): RegressionNetworks {
  return new RegressionNetworks(engine, {
    encoding: search.encoding,
    networks,
    head,
    hidden,
    activation,
    ...(activation === 'leakyRelu' && { alpha: LEAK }),
    parameters: search.parameters,
    y: data.y,
    minibatch,
    batchSize,
  });
}

/** What designs climb is the aggregate of the networks' means. */
export function regressionSurrogate(
  models: RegressionNetworks,
  networks: number,
  { bootstrap, trainRate }: RegressionOptions,
  aggregate: Aggregate,
): Surrogate<RegressionState> {
  return {
    initialize: (key) => models.initialize(key, { bootstrap }),
    train: (stream) => models.train(models.draw(stream), trainRate),
    dataLoss: () => models.dataLoss(),
    gradientAt: (parameters) => models.gradientAt(parameters, aggregate),
    valueAt: async (parameters) =>
      aggregateMeans(aggregate, (await models.predictDesigns(parameters)).mean, networks),
    state: () => models.state(),
    restore: (state) => models.restore(state),
  };
}
