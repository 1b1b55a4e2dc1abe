// `nemokit.yaml` <-> ProblemFile. problemSchema.ts says what may stand in it.

import {
  type CST,
  Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  Parser,
  parseDocument,
  visit,
} from 'yaml';
import type { z } from 'zod';
import { ArgumentError } from '../numeric/errors.js';
import { optionFaults } from '../options/requireOptions.js';
import type { ReadOptions } from '../table/readTable.js';
import { parseSame } from './batchTerms.js';
import { parseConstraint } from './expressions.js';
import { type Goal, parseGoal, requireDistinct } from './goals.js';
import { type ProblemFault, ProblemFileError } from './problemFault.js';
import {
  columnKeys,
  type MethodOptions,
  mixtureKeys,
  problemKeys,
  problemSchema,
  problemVersion,
  readKeys,
  usualMethod,
} from './problemSchema.js';
import type { ColumnSpec, ProblemSpec, RunSettings } from './problemSpec.js';
import { parseFormula } from './relationExpression.js';
import { ExpressionError, shown, suggestion } from './tokens.js';

export { ProblemFileError } from './problemFault.js';
export { type MethodOptions, problemJsonSchema, problemVersion } from './problemSchema.js';

/** What a problem file holds: a problem, how to run it, and where its tables are, as paths relative to the file. */
export interface ProblemFile extends ProblemSpec, RunSettings {
  readonly version: typeof problemVersion;
  readonly data: string;
  /** How to read the table. */
  readonly read?: Omit<ReadOptions, 'name' | 'maxBytes'>;
  readonly choices?: string;
  /** Paths of tables whose rows are put below those of `data`. */
  readonly add?: readonly string[];
  readonly keep?: string;
  readonly avoid?: string;
}

type Path = readonly PropertyKey[];

/** Longer files are refused before they are read. */
const longestFile = 200_000;
/** Deeper ones too: the parser of YAML recurses. A problem file needs 4 levels. */
const deepestNesting = 32;

/**
 * Reads a problem file. Throws `ProblemFileError` with every fault found. With `methods`, the method and its options are
 * checked as well.
 */
export function parseProblemFile(text: string, fileName: string, methods?: MethodOptions): ProblemFile {
  let lines = new LineCounter();
  const fail = (offset: number, message: string, path = ''): never => {
    throw new ProblemFileError(fileName, [{ path, ...place(lines, offset), message }]);
  };
  if (text.length > longestFile)
    fail(0, `is ${text.length} characters long; expected at most ${longestFile}`);
  refuseHostile(text, lines, fail);
  lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: 'core' });
  const [syntax] = document.errors;
  if (syntax?.code === 'MULTIPLE_DOCS')
    fail(syntax.pos[0], 'a second document begins here; write one problem per file');
  if (syntax) fail(syntax.pos[0], `cannot be read as YAML: ${syntax.message.split('\n')[0]}`);
  if (document.contents === null) fail(0, 'is empty; expected "version: 1" and what follows it');
  visit(document, {
    // Objects lose this key.
    Pair(_, { key }) {
      if (isScalar(key) && key.value === '__proto__')
        fail(startOf(key), 'the name "__proto__" cannot be used');
    },
  });
  const value: unknown = document.toJS();
  const at = (path: Path, message: string): ProblemFault => ({
    path: printPath(path),
    ...place(lines, offsetOf(document, path)),
    message,
  });
  const version = versionFault(value);
  if (version !== undefined) throw new ProblemFileError(fileName, [at(['version'], version)]);
  const parsed = problemSchema.safeParse(value);
  if (!parsed.success)
    throw new ProblemFileError(
      fileName,
      parsed.error.issues.slice(0, 100).flatMap((issue) => schemaFaults(issue, value, document, lines)),
    );
  const file = problemFileOf(parsed.data);
  const faults = [
    ...Object.entries(file.columns ?? {}).flatMap(([name, column]) =>
      columnFaults(column).map(([key, message]) => at(['columns', name, key], message)),
    ),
    ...languageFaults(file, document, lines),
    ...(methods ? methodFaults(file, methods).map(([path, message]) => at(path, message)) : []),
  ];
  if (faults.length > 0) throw new ProblemFileError(fileName, faults);
  return file;
}

function place(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** Nesting and aliases are looked for in the flat list of the file's tokens, which takes no recursion. */
function refuseHostile(
  text: string,
  lines: LineCounter,
  fail: (offset: number, message: string) => never,
): void {
  const open: { token: CST.Token; depth: number }[] = [];
  for (const token of new Parser(lines.addNewLine).parse(text)) open.push({ token, depth: 0 });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (depth > deepestNesting) fail(token.offset, `is nested more than ${deepestNesting} levels deep`);
    if (token.type === 'alias') fail(token.offset, 'uses an alias (*name); write the value out');
    if (token.type === 'document' && token.value) open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const { key, value } of token.items as CST.CollectionItem[]) {
      if (key) open.push({ token: key, depth: depth + 1 });
      if (value) open.push({ token: value, depth: depth + 1 });
    }
  }
}

function versionFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const version: unknown = (value as { version?: unknown }).version;
  if (version === problemVersion) return undefined;
  if (version === undefined) return `missing; expected "version: ${problemVersion}"`;
  if (typeof version === 'number' && version > problemVersion)
    return `the file has version ${version}, this nemokit reads ${problemVersion}; it was written for a newer one, update nemokit`;
  return `got ${printed(version)}, expected ${problemVersion}`;
}

function schemaFaults(
  issue: z.core.$ZodIssue,
  root: unknown,
  document: Document,
  lines: LineCounter,
): ProblemFault[] {
  if (issue.code === 'unrecognized_keys') {
    const inner: Readonly<Record<string, readonly string[]>> = { columns: columnKeys, read: readKeys };
    const known = issue.path.length === 0 ? problemKeys : (inner[String(issue.path[0])] ?? mixtureKeys);
    return issue.keys.map((key) => ({
      path: printPath(issue.path),
      ...place(lines, keyOffset(document, issue.path, key)),
      message: `unknown key ${shown(key)}${suggestion(key, known)}`,
    }));
  }
  const value = issue.path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    root,
  );
  const found = value === undefined ? 'missing; ' : `got ${printed(value)}, `;
  return [
    {
      path: printPath(issue.path),
      ...place(lines, offsetOf(document, issue.path)),
      message: found + issue.message.replace(/^Invalid input: /, ''),
    },
  ];
}

function printed(value: unknown): string {
  const json = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return json.length > 60 ? `${json.slice(0, 57)}...` : json;
}

function printPath(path: Path): string {
  return path
    .map((key, i) => {
      if (typeof key === 'number') return `[${key}]`;
      const name = String(key);
      if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name)) return `[${shown(name)}]`;
      return i === 0 ? name : `.${name}`;
    })
    .join('');
}

/** Where the value at `path` begins, or the last thing on the way to it that exists. */
function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const key of path) {
    const inner: unknown = isCollection(node)
      ? node.get(typeof key === 'number' ? key : String(key), true)
      : undefined;
    if (!isNode(inner)) break;
    node = inner;
    offset = startOf(inner);
  }
  return offset;
}

function startOf(node: unknown): number {
  return (isNode(node) ? (node as Node).range?.[0] : undefined) ?? 0;
}

function keyOffset(document: Document, path: Path, key: string): number {
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  const pair = isMap(node)
    ? node.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
    : undefined;
  return pair ? startOf(pair.key) : offsetOf(document, path);
}

function problemFileOf({ preset, ...rest }: z.output<typeof problemSchema>): ProblemFile {
  const parsed = preset === undefined ? rest : { effort: preset, ...rest };
  // Zod types absent keys as `undefined`, which they never hold.
  const file = parsed as Omit<typeof parsed, 'mixtures'> as Omit<ProblemFile, 'mixtures'>;
  if (!parsed.mixtures) return file;
  const mixtures = parsed.mixtures.map((mixture) =>
    Array.isArray(mixture)
      ? { columns: mixture, sum: 1 }
      : { columns: mixture.columns, sum: mixture.sum ?? 1 },
  );
  return { ...file, mixtures };
}

const numericTypes: readonly (string | undefined)[] = [undefined, 'number', 'integer'];

/** Settings of one column that contradict each other: [key, message]. */
function columnFaults({ type, bounds, step, log, role, fixed, levels }: ColumnSpec): [string, string][] {
  const faults: [string, string][] = [];
  if (role === 'ignore' && fixed !== undefined) faults.push(['fixed', 'an ignored column cannot be fixed']);
  if (!numericTypes.includes(type)) {
    if (bounds) faults.push(['bounds', `a column of type ${type} has no bounds`]);
    if (step !== undefined) faults.push(['step', `a column of type ${type} has no step`]);
    if (log) faults.push(['log', `a column of type ${type} has no logarithm`]);
  } else if (levels && type !== undefined) faults.push(['levels', `a column of type ${type} has no levels`]);
  if (log && bounds && bounds[0] <= 0)
    faults.push(['bounds', `got ${printed(bounds)}, expected a positive lower bound because of "log: true"`]);
  if (bounds && step !== undefined && step > bounds[1] - bounds[0])
    faults.push(['step', `got ${step}, expected at most the distance of the bounds`]);
  return faults;
}

/** An unknown method, or options that are not as the method declares them. */
function methodFaults(
  { method = usualMethod, options = {} }: ProblemFile,
  methods: MethodOptions,
): [Path, string][] {
  const declared = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!declared)
    return [[['method'], `no method is called ${shown(method)}${suggestion(method, Object.keys(methods))}`]];
  return optionFaults(method, declared, options).map(({ name, message }) => [['options', name], message]);
}

/** Goals and constraints that do not parse. Names are checked later, against the table. */
function languageFaults(spec: ProblemFile, document: Document, lines: LineCounter): ProblemFault[] {
  const faults: ProblemFault[] = [];
  const attempt = (path: Path, read: () => unknown) => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const start = offsetOf(document, path);
      const offset = start + insideScalar(document, path, error);
      faults.push({
        path: printPath(path),
        ...place(lines, offset),
        message: `${shown(error.text)}, character ${error.position + 1}: ${error.reason}`,
      });
    }
  };
  const goals: Goal[] = [];
  for (const [i, text] of spec.goals.entries())
    attempt(['goals', i], () => {
      goals.push(parseGoal(text));
    });
  if (goals.length === spec.goals.length) attempt(['goals'], () => requireDistinct(goals, spec.goals));
  for (const [i, constraint] of (spec.constraints ?? []).entries())
    attempt(['constraints', i], () => parseConstraint(constraint));
  for (const [i, text] of (spec.same ?? []).entries()) attempt(['same', i], () => parseSame(text));
  if (spec.cost !== undefined) attempt(['cost'], () => parseFormula(spec.cost!, 'cost'));
  return faults;
}

/** How far behind the beginning of its scalar an error lies; 0 where escapes or line ends make that unknown. */
function insideScalar(document: Document, path: Path, error: ExpressionError): number {
  const node: unknown = document.getIn(path, true);
  if (!isScalar(node) || !node.range || node.source !== error.text) return 0;
  const [start, end] = node.range;
  const quotes = end - start - error.text.length;
  return quotes === 0 || quotes === 2 ? quotes / 2 + error.position : 0;
}

export interface WriteProblemOptions {
  /** Say in comments what each key means, and show those that are absent. Default true. */
  readonly comments?: boolean;
  /**
   * Where an editor finds the schema, as seen from the file: a path or a URL. Default: the file does not say, since
   * nobody but the caller knows where the file will stand.
   */
  readonly schema?: string;
}

type OptionalKey = Exclude<keyof ProblemFile, 'version' | 'data' | 'goals'>;

const meanings: Readonly<Record<keyof ProblemFile, string>> = {
  version: 'A nemokit problem file.',
  data: 'Table of past experiments.',
  read: 'How to read the table, where it is not as its first lines suggest.',
  goals: 'What is wanted: max, min, target or keep. Several goals are weighed by desirability.',
  columns: "Columns that are not as their values suggest. Without bounds, designs stay in the data's range.",
  mixtures: 'Groups of columns that add up to a constant.',
  constraints: 'What every design has to satisfy.',
  limits: 'Where values of goals can lie, such as [0, 100]; null for no end.',
  allowRepeats: 'Whether designs may equal past rows.',
  assume: 'Whether roles, relations, steps and limits that nobody gave are taken from the table.',
  add: 'Tables whose rows are put below, such as measured candidates.',
  choices: 'Take designs from the rows of this table only.',
  batch: 'How many designs to propose.',
  same: 'Columns with one value in the whole batch, or few: "3 values of temp".',
  cost: 'What a design costs.',
  budget: 'What the batch may cost in all.',
  tiers: 'How many designs are safe, balanced and bold.',
  keep: 'Designs of this table are in the batch.',
  avoid: 'Designs like those of this table are not proposed.',
  front: 'Whether several goals spread the batch over their front.',
  simplify: 'Whether columns go back to the nearest past run where that costs nothing.',
  seed: 'The same seed gives the same designs.',
  effort: 'How much to compute: fast, balanced or thorough.',
  risk: 'How far designs may leave what is known: cautious, balanced or bold. Default: what a rehearsal speaks for.',
  anyway: 'Show designs even where the data do not support them.',
  method: 'Which algorithm to use, and its options.',
  options: 'Options of the method.',
};

/** Shown, commented out, where a key is absent. */
const examples: Readonly<Partial<Record<OptionalKey, string>>> = {
  columns: 'columns:\n  temp: {bounds: [20, 90], step: 5}\n  operator: {role: context}\n  line: {fixed: B}',
  mixtures: 'mixtures:\n  - [a, b, c]\n  - {columns: [d, e], sum: 100}',
  constraints:
    'constraints:\n  - 2*a + b <= 30\n  - at most 3 of a, b, c, d\n  - forbid solvent=water and catalyst in (A, B)',
  batch: 'batch: 8',
  seed: 'seed: 0',
};

/** The text of a problem file, which parses to the same again. */
export function writeProblemFile(
  file: ProblemFile,
  { comments = true, schema }: WriteProblemOptions = {},
): string {
  if (schema !== undefined && !/^\S+$/.test(schema))
    throw new ArgumentError(
      'schema',
      `schema is a path or URL without spaces, not ${JSON.stringify(schema)}`,
    );
  const blocks = (problemKeys as (keyof ProblemFile)[]).flatMap((key) => {
    const value = key === 'mixtures' ? file.mixtures?.map(shortMixture) : file[key];
    const comment = comments ? `# ${meanings[key]}\n` : '';
    if (value !== undefined) return [comment + printKey(key, value)];
    const example = comments ? examples[key as OptionalKey] : undefined;
    return example === undefined ? [] : [`${comment}${example.replaceAll(/^/gm, '# ')}\n`];
  });
  const modeline = schema === undefined ? '' : `# yaml-language-server: $schema=${schema}\n`;
  return modeline + blocks.join(comments ? '\n' : '');
}

function shortMixture({ columns, sum }: { columns: readonly string[]; sum: number }): unknown {
  return sum === 1 ? columns : { columns, sum };
}

function printKey(key: string, value: unknown): string {
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
