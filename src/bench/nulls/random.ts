/** Designs drawn evenly from the space. */
import { foldKey } from '../../numeric/key.js';
import { Stream } from '../../numeric/random.js';
import { batchSize, startFrom } from '../../options/searchOptions.js';
import { sample } from '../../space/index.js';
import { nullAlgorithm } from './nullAlgorithm.js';

export const random = nullAlgorithm({
  id: 'random',
  options: { batchSize: batchSize('M, designs that are drawn'), startFrom: startFrom('Has no effect') },
  draw: ({ space, options }, key) => sample(space, new Stream(foldKey(key, 'random')), options.batchSize),
});
