// A small superconductor dataset of made-up elements, compounds and temperatures, in the format of the real files.
import { gzipSync } from 'node:zlib';
import { rootKey, Stream } from '../../src/numeric/index.js';
import {
  elementProperties,
  elementSymbols,
  featureNames,
  featuresOf,
  readElementTable,
} from '../../src/tasks/superconductorFeatures.js';

const known = ['H', 'O', 'Fe', 'Cu', 'Ba', 'La'];

const elementText = [
  ['element', ...elementProperties].join(','),
  ...known.map((symbol, e) => [symbol, ...elementProperties.map((_, k) => 1.5 + e * (k + 1))].join(',')),
  '',
].join('\n');
export const elementBytes = Buffer.from(elementText);
export const elements = readElementTable(elementBytes, 'elements.csv');

export const rows = 200;

export function madeUpCompounds(): Record<string, Uint8Array> {
  const stream = new Stream(rootKey(7));
  const train = [[...featureNames, 'critical_temp'].join(',')];
  const compositions = [[...elementSymbols, 'critical_temp', 'material'].join(',')];
  for (let i = 0; i < rows; i++) {
    const amounts = elementSymbols.map(() => 0);
    for (const k of Array.from(stream.permutation(known.length)).slice(0, 1 + (i % 4)))
      amounts[elementSymbols.indexOf(known[k]!)] = 1 + (i % 5) + k;
    const features = featuresOf(amounts, elements);
    const temperature = Math.round(100 * features[2]!) / 10;
    train.push([...features, temperature].join(','));
    compositions.push([...amounts, temperature, `M${i}`].join(','));
  }
  return {
    'superconductor/train.csv.gz': gzipSync(`${train.join('\n')}\n`),
    'superconductor/unique_m.csv.gz': gzipSync(`${compositions.join('\n')}\n`),
    'superconductor/element_properties_recovered.csv': elementBytes,
  };
}
