import { Document, isMap, isSeq, visit } from 'yaml';
import { ArgumentError } from '../numeric/errors.js';
import type { ProblemSpec } from './problemFile.js';
import { problemKeys } from './problemSchema.js';

export interface WriteProblemOptions {
  /** Say in comments what each key means, and show those that are absent. Default true. */
  readonly comments?: boolean;
  /**
   * Where an editor finds the schema, as seen from the file: a path or a URL. Default: the file does not say, since
   * nobody but the caller knows where the file will stand.
   */
  readonly schema?: string;
}

type Key = Exclude<keyof ProblemSpec, 'version' | 'data' | 'goals'>;

const meanings: Readonly<Record<keyof ProblemSpec, string>> = {
  version: 'A nemokit problem file.',
  data: 'Table of past experiments.',
  goals: 'What is wanted: max, min, target or keep. Several goals are weighed by desirability.',
  columns: "Columns that are not as their values suggest. Without bounds, designs stay in the data's range.",
  mixtures: 'Groups of columns that add up to a constant.',
  constraints: 'What every design has to satisfy.',
  choices: 'Take designs from the rows of this table only.',
  batch: 'How many designs to propose.',
  seed: 'The same seed gives the same designs.',
  effort: 'How much to compute: fast, balanced or thorough.',
  method: 'Which algorithm to use, and its options.',
  options: 'Options of the method.',
};

/** Shown, commented out, where a key is absent. */
const examples: Readonly<Partial<Record<Key, string>>> = {
  columns: 'columns:\n  temp: {bounds: [20, 90], step: 5}\n  operator: {role: context}\n  line: {fixed: B}',
  mixtures: 'mixtures:\n  - [a, b, c]\n  - {columns: [d, e], sum: 100}',
  constraints:
    'constraints:\n  - 2*a + b <= 30\n  - at most 3 of a, b, c, d\n  - forbid solvent=water and catalyst in (A, B)',
  batch: 'batch: 8',
  seed: 'seed: 0',
};

/** A problem file, which parses to the same spec again. */
export function writeProblemFile(
  spec: ProblemSpec,
  { comments = true, schema }: WriteProblemOptions = {},
): string {
  if (schema !== undefined && !/^\S+$/.test(schema))
    throw new ArgumentError(
      'schema',
      `schema is a path or URL without spaces, not ${JSON.stringify(schema)}`,
    );
  const blocks = (problemKeys as (keyof ProblemSpec)[]).flatMap((key) => {
    const value = key === 'mixtures' ? spec.mixtures?.map(shortMixture) : spec[key];
    const comment = comments ? `# ${meanings[key]}\n` : '';
    if (value !== undefined) return [comment + print(key, value)];
    const example = comments ? examples[key as Key] : undefined;
    return example === undefined ? [] : [`${comment}${example.replaceAll(/^/gm, '# ')}\n`];
  });
  const modeline = schema === undefined ? '' : `# yaml-language-server: $schema=${schema}\n`;
  return modeline + blocks.join(comments ? '\n' : '');
}

function shortMixture({ columns, sum }: { columns: readonly string[]; sum: number }): unknown {
  return sum === 1 ? columns : { columns, sum };
}

function print(key: string, value: unknown): string {
  const document = new Document({ [key]: value }, { aliasDuplicateObjects: false });
  visit(document, {
    // Settings of one column, a mixture and lists of numbers each read best on one line.
    Collection(_, node, path) {
      const isInner = path.length >= (key === 'columns' ? 5 : 4);
      const isNumbers = isSeq(node) && path.length >= 3 && key === 'options';
      if ((isInner && (isMap(node) || isSeq(node))) || isNumbers) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}
