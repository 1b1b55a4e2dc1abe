/** What stands in place of a document that could not be made. Types: cli/errorDocument.ts. */
import { z } from 'zod';
import { ordinal, text, texts } from '../runs/schemaValues.js';
import { inFile } from './jsonSchema.js';

const fault = z.strictObject({
  path: text('Where in the file, such as columns.temp.bounds[0]; empty for the file itself.'),
  line: ordinal('Line, counted from 1.'),
  column: ordinal('Character of the line, counted from 1.'),
  message: text('What is wrong.'),
});

const errorVersion = z.literal(1).describe('Version of this format.');

const details = z
  .strictObject({
    code: z
      .enum([
        'usage',
        'file',
        'table',
        'problem',
        'locked',
        'unsupported',
        'infeasible',
        'partial',
        'interrupted',
        'internal',
      ])
      .describe('What kind of error, for programs. docs/json.md explains each.'),
    exitCode: z.int().min(1).max(255).describe('Exit code of the command.'),
    message: text('What is wrong, for people.'),
    hint: text('What to do.').exactOptional(),
    file: text('The file or folder it is about.').exactOptional(),
    line: ordinal('Line of the file, counted from 1.').exactOptional(),
    column: ordinal('Character of the line, or of `text`, counted from 1.').exactOptional(),
    columnName: text('Column of a table.').exactOptional(),
    argument: text('What was not right: an option, a setting, "goal", "constraint".').exactOptional(),
    text: text('The goal or constraint that cannot be read.').exactOptional(),
    faults: z.array(fault).describe('Every fault of a problem file.').exactOptional(),
    conflict: texts('Constraints that exclude each other.').exactOptional(),
    run: text('Folder of a run that was saved and can be resumed.').exactOptional(),
  })
  .describe('The error.');

export const errorDocument = z
  .strictObject({ errorVersion, error: details })
  .meta({ title: 'nemokit error', description: 'What --json prints where a command fails.' });

export const errorEvent = z.strictObject({
  event: z.literal('error').describe('The run failed, or never began.'),
  errorVersion,
  error: inFile(details, 'error', 'The error.', '#/properties/error'),
});
