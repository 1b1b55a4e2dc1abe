/** Nothing is done: the best visible rows, as they are. */
import { batchSize, startFrom } from '../../options/searchOptions.js';
import { nullAlgorithm } from './nullAlgorithm.js';

export const start = nullAlgorithm({
  id: 'start',
  options: {
    batchSize: batchSize('M, rows that are proposed as they are'),
    startFrom: startFrom('Which rows'),
  },
  draw: async (_setup, _key, rows) => rows.slice(),
});
