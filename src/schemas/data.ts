/** `nemokit data list --json` and `nemokit data verify --json`. Types: cli/data.ts. */
import { z } from 'zod';
import { count, flag, sha256, text, texts } from '../runs/schemaValues.js';

const dataVersion = z.literal(1).describe('Version of this format.');

export const dataListDocument = z
  .strictObject({
    dataVersion,
    folder: text('The data folder.'),
    datasets: z
      .array(
        z.strictObject({
          id: text('Name of the dataset, and of its folder.'),
          title: text('What it is.'),
          licence: text('Its licence.'),
          citation: text('What to cite.'),
          homes: texts('Pages of the data it was made from.'),
          ships: flag('Whether it comes with nemokit.'),
          bytes: count('Size of all files.'),
          files: z
            .array(
              z.strictObject({
                name: text('Name of the file.'),
                bytes: count('Its size.'),
                isHere: flag('Whether a file of this name and size is there; its content is not read.'),
              }),
            )
            .describe('Its files.'),
        }),
      )
      .describe('By id.'),
  })
  .meta({ title: 'nemokit data list --json', description: 'Datasets of the benchmark.' });

export const dataVerifyDocument = z
  .strictObject({
    dataVersion,
    folder: text('The data folder.'),
    files: z
      .array(
        z.strictObject({
          dataset: text('The dataset.'),
          file: text('Name of the file.'),
          path: text('Where it belongs.'),
          state: z.enum(['right', 'wrong', 'missing']).describe('What was found there, by checksum.'),
          bytes: count('Size it should have.'),
          sha256: sha256('Checksum it should have.'),
        }),
      )
      .describe('Files of the datasets that were asked for.'),
  })
  .meta({ title: 'nemokit data verify --json', description: 'Whether the files of datasets are right.' });
