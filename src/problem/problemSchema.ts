// What may stand in a problem file. docs/problem-file.md describes it; schemas/problem.schema.json is made from it.

import { z } from 'zod';
import type { OptionDeclarations } from '../options/option.js';
import { optionsJsonSchema } from '../options/optionDocs.js';
import { columnTypes } from '../table/columnTypes.js';
import { textEncodings } from '../table/textEncoding.js';
import { efforts, MOST_DESIGNS, risks } from './problemSpec.js';

/** The version this nemokit reads and writes. */
export const problemVersion = 1;

const text = (what: string) => z.string({ error: `expected ${what}` }).min(1, { error: `expected ${what}` });
const number = (what: string) => z.number({ error: `expected ${what}` });
const texts = (what: string) => z.array(text(what), { error: `expected a list of ${what}` });

const twoNumbers = 'expected two numbers, the smaller one first';
const scalar = z.union([z.string(), z.number(), z.boolean()], { error: 'expected a number or a text' });
const positive = 'a positive number';

const column = z.strictObject(
  {
    type: z
      .enum(columnTypes, { error: `expected one of ${columnTypes.join(', ')}` })
      .describe('How to read the column. Default: found from its values.')
      .optional(),
    levels: texts('values')
      .min(1, { error: 'expected one value at least' })
      .describe('Values of a category; of type "ordered" from low to high.')
      .optional(),
    bounds: z
      .tuple([number('a number'), number('a number')], { error: twoNumbers })
      .refine(([lower, upper]) => lower < upper, { error: twoNumbers })
      .describe("Where designs may lie. Default: the data's own range.")
      .optional(),
    step: number(positive)
      .gt(0, { error: `expected ${positive}` })
      .describe('Designs are the lower bound plus whole multiples of this.')
      .optional(),
    log: z
      .boolean({ error: 'expected true or false' })
      .describe('Model the logarithm of the column. Default: found from its values.')
      .optional(),
    role: z
      .enum(['design', 'context', 'ignore'], { error: 'expected design, context or ignore' })
      .describe(
        'design: designs set the column, whatever its name suggests. context: the model sees it, designs do not change it. ignore: nobody sees it.',
      )
      .optional(),
    fixed: scalar.describe('Every design has this value.').optional(),
  },
  { error: 'expected settings such as {bounds: [20, 90]}' },
);

const mixtureColumns = texts('column names').min(2, { error: 'expected two columns at least' });
const mixtureWithSum = z.strictObject({
  columns: mixtureColumns,
  sum: number(positive)
    .gt(0, { error: `expected ${positive}` })
    .describe('Default 1.')
    .optional(),
});
const mixture = z.union([mixtureColumns, mixtureWithSum], {
  error: 'expected a list of column names, or {columns: [a, b], sum: 100}',
});

const lines = 'a whole number of lines';
const trueOrFalse = z.boolean({ error: 'expected true or false' });
const reading = z.strictObject(
  {
    delimiter: text('one character').describe('What separates cells.').optional(),
    quote: text('one character').describe('What stands around texts.').optional(),
    decimal: z.enum(['.', ','], { error: 'expected "." or ","' }).describe('Decimal mark.').optional(),
    encoding: z
      .enum(textEncodings, { error: `expected one of ${textEncodings.join(', ')}` })
      .describe('How the bytes of the file are to be read.')
      .optional(),
    missing: z
      .array(z.string(), { error: 'expected a list of texts' })
      .describe('Texts that stand for an empty cell.')
      .optional(),
    text: texts('column names').describe('Columns whose cells stay as they are written.').optional(),
    header: trueOrFalse.describe('Whether the first line of the table holds names.').optional(),
    names: texts('names').describe('Names of the columns of a table without a header.').optional(),
    skip: z
      .int({ error: `expected ${lines}` })
      .min(0, { error: `expected ${lines}` })
      .describe('How many lines stand above the table.')
      .optional(),
    end: z
      .int({ error: 'expected the number of a line' })
      .min(1, { error: 'expected the number of a line' })
      .describe('Last line of the table.')
      .optional(),
    unitsRow: trueOrFalse.describe('Whether the line below the header holds units.').optional(),
    sheet: z
      .union([z.string(), z.int()], { error: 'expected the name or number of a sheet' })
      .describe('Sheet of a workbook, by name or by number from 1.')
      .optional(),
  },
  { error: 'expected settings such as {decimal: ","}' },
);

const twoLimits = 'expected two limits, the smaller one first, null for none';
const limitsPair = z
  .tuple([z.number().nullable(), z.number().nullable()], { error: twoLimits })
  .refine(([lower, upper]) => lower === null || upper === null || lower < upper, { error: twoLimits });

/** Which values an option takes depends on the method. */
const option = z.union([z.number(), z.string(), z.boolean(), z.null(), z.array(z.number())], {
  error: 'expected a number, a text, true, false, null or a list of numbers',
});
const count = `a whole number from 1 to ${MOST_DESIGNS}`;
const seed = 'a whole number, 0 or more';
const threeCounts = 'three whole numbers, such as [4, 3, 1]';

const effort = z.enum(efforts, { error: 'expected fast, balanced or thorough' });

export const problemSchema = z.strictObject(
  {
    version: z.literal(problemVersion).describe('Version of this format.'),
    data: text('the path of a table').describe('The table of past experiments, relative to this file.'),
    read: reading.describe('How to read the table. Default: found from its first lines.').optional(),
    goals: texts('goals such as "max yield"')
      .min(1, { error: 'expected one goal at least, such as "max yield"' })
      .describe('What is wanted: max, min, target or keep, and a column.'),
    columns: z
      .record(z.string(), column, { error: 'expected column names with settings' })
      .describe('Settings of columns; those not listed are read from the data.')
      .optional(),
    mixtures: z
      .array(mixture, { error: 'expected a list of lists of column names' })
      .describe('Groups of columns with a constant sum.')
      .optional(),
    constraints: texts('constraints such as "a + b <= 1"')
      .describe('What designs have to satisfy.')
      .optional(),
    limits: z
      .record(z.string(), limitsPair, { error: 'expected columns with limits such as [0, 100]' })
      .describe('Where values of goals can lie; null where there is no end. Default: by name, unit and data.')
      .optional(),
    allowRepeats: z
      .boolean({ error: 'expected true or false' })
      .describe('Designs may equal past rows.')
      .optional(),
    assume: z
      .boolean({ error: 'expected true or false' })
      .describe('false: take no role, relation, step or limit from the names and values of columns.')
      .optional(),
    add: texts('paths of tables')
      .describe('Tables whose rows are put below those of `data`, such as measured candidates.')
      .optional(),
    choices: text('the path of a table').describe('Designs are rows of this table only.').optional(),
    batch: z
      .int({ error: `expected ${count}` })
      .min(1, { error: `expected ${count}` })
      .max(MOST_DESIGNS, { error: `expected ${count}` })
      .describe('How many designs to propose.')
      .optional(),
    same: texts('columns such as "temperature" or "3 values of temperature"')
      .describe('Columns with one value, or few, in the whole batch.')
      .optional(),
    cost: text('a formula such as "0.2*Pd + 1.5*ligand"')
      .describe('What a design costs, as a formula of columns.')
      .optional(),
    budget: number(positive)
      .gt(0, { error: `expected ${positive}` })
      .describe('What the batch may cost in all.')
      .optional(),
    tiers: z
      .array(z.int({ error: `expected ${threeCounts}` }).min(0, { error: `expected ${threeCounts}` }), {
        error: `expected ${threeCounts}`,
      })
      .length(3, { error: `expected ${threeCounts}` })
      .refine((counts) => counts.some((one) => one > 0), { error: `expected ${threeCounts}` })
      .describe('How many designs are safe, balanced and bold.')
      .optional(),
    keep: text('the path of a table').describe('Designs of this table are in the batch.').optional(),
    avoid: text('the path of a table')
      .describe('Designs like those of this table are not proposed; an empty cell stands for any value.')
      .optional(),
    front: trueOrFalse.describe('Whether several goals spread the batch over their front.').optional(),
    simplify: trueOrFalse
      .describe('Whether columns go back to the nearest past run where that costs nothing.')
      .optional(),
    seed: z
      .int({ error: `expected ${seed}` })
      .min(0, { error: `expected ${seed}` })
      .describe('The same seed gives the same designs.')
      .optional(),
    effort: effort.describe('How much to compute.').optional(),
    preset: effort.describe('The earlier name of "effort".').meta({ deprecated: true }).optional(),
    risk: z
      .enum(risks, { error: 'expected cautious, balanced or bold' })
      .describe('How far designs may leave what is known.')
      .optional(),
    anyway: z
      .boolean({ error: 'expected true or false' })
      .describe('Designs are shown even where the data do not support them.')
      .optional(),
    method: text('the name of a method').describe('Which algorithm to use.').optional(),
    options: z
      .record(z.string(), option, { error: 'expected names with values' })
      .describe('Options of the method.')
      .optional(),
  },
  { error: 'expected keys with values, the first one "version: 1"' },
);

/** Keys that are written and suggested; `preset`, the earlier name of `effort`, is read only. */
export const problemKeys: readonly string[] = Object.keys(problemSchema.shape).filter(
  (key) => key !== 'preset',
);
export const columnKeys: readonly string[] = Object.keys(column.shape);

export const readKeys: readonly string[] = Object.keys(reading.shape);

export const mixtureKeys: readonly string[] = Object.keys(mixtureWithSum.shape);

/** Options of the methods by their names. */
export type MethodOptions = Readonly<Record<string, OptionDeclarations>>;

/** The method of a file that names none. */
export const usualMethod = 'nemo';

/** JSON Schema (draft 2020-12) of a problem file, for editors. */
export function problemJsonSchema(methods: MethodOptions): Record<string, unknown> {
  const { $schema, properties, ...rest } = z.toJSONSchema(problemSchema, { io: 'input' });
  const names = Object.keys(methods);
  return {
    $schema,
    title: 'nemokit problem file',
    ...rest,
    properties: { ...properties, method: { enum: names, description: 'Which algorithm to use.' } },
    allOf: names.map((name) => ({
      // a file without a method has the usual one: the condition then holds where the key is absent
      if: {
        properties: { method: { const: name } },
        ...(name !== usualMethod && { required: ['method'] }),
      },
      // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema
      then: { properties: { options: { $ref: `#/$defs/${name}` } } },
    })),
    $defs: Object.fromEntries(names.map((name) => [name, optionsJsonSchema(methods[name]!)])),
  };
}
