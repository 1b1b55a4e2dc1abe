// Everything that nemokit writes as JSON is as its schema says, and the schemas refuse what is not.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sampleRecord } from '../bench/sampleRecord.js';
import { oddDocuments } from '../report/oddDocuments.js';
import { sampleDocument } from '../report/sampleDocument.js';
import { faultsOf, readSchema, schemaNames } from '../schemas/validator.js';
import { called, jsonCommands } from './called.js';
import { sampleRun } from './sampleRun.js';
import { least, Workplace } from './smallRun.js';

const place = new Workplace();
const at = (...path: string[]) => join(place.folder, ...path);
const example = fileURLToPath(new URL('../../examples/plugin.mjs', import.meta.url));
const run = at('run');
const begun = at('begun');

/** Valid values by schema, for the tests below that break them. */
const samples = new Map<string, unknown[]>();

function requireValid(name: string, value: unknown): void {
  expect({ name, faults: faultsOf(name, value) }).toEqual({ name, faults: [] });
  samples.set(name, [...(samples.get(name) ?? []), value]);
}

const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const readText = (...path: string[]) => readFileSync(at(...path), 'utf8');

describe('a run', () => {
  it('prints its events and leaves documents in its folder', async () => {
    const { code, stdout } = await called('design', at('past.csv'), ...least, '--jsonl', '--out', run);
    expect([0, 3]).toContain(code);
    const events = linesOf(stdout);
    expect(events.length).toBeGreaterThan(10);
    for (const event of events) requireValid('design-events', event);
    requireValid('candidates', JSON.parse(readText('run', 'candidates.json')));
    requireValid('manifest', JSON.parse(readText('run', 'manifest.json')));
    requireValid('model', JSON.parse(readText('run', 'model.json')));
    for (const event of linesOf(readText('run', 'events.jsonl'))) requireValid('events', event);
  });

  it('prints its document, with several goals and another method', async () => {
    const goals = ['--goal', 'max yield', '--goal', 'min temp', '--method', 'forward'];
    const small = ['--effort', 'fast', '--set', 'steps=3', '--batch', '2', '--seed', '1'];
    const { stdout } = await called(
      'design',
      at('past.csv'),
      ...goals,
      ...small,
      '--json',
      '--out',
      at('two'),
    );
    requireValid('candidates', JSON.parse(stdout));
    requireValid('model', JSON.parse(readText('two', 'model.json')));
  });

  it('that has no design when its time is over says so, and can be shown and listed', async () => {
    const args = ['design', at('past.csv'), ...least, '--time', '0.001s', '--out', begun];
    const { code, stdout, stderr } = await called(...args, '--json');
    expect([code, stderr]).toEqual([5, `the time is over; go on with: nemokit runs resume ${begun}\n`]);
    requireValid('error', JSON.parse(stdout));
    expect(JSON.parse(stdout).error).toEqual({
      code: 'partial',
      exitCode: 5,
      message: 'the time is over, and there is no design yet; the state is saved',
      hint: `nemokit runs resume ${begun}`,
      run: begun,
    });
    const events = await called('runs', 'resume', begun, '--time', '0.001s', '--jsonl');
    const last = linesOf(events.stdout).at(-1);
    expect([events.code, last]).toEqual([5, { event: 'timeLimit', run: begun }]);
    requireValid('design-events', last);
    requireValid('runs-show', JSON.parse((await called('runs', 'show', begun, '--json')).stdout));
  });
});

/** [command, its arguments, the schema of what it prints] */
const asked: readonly (readonly [string, readonly string[], string])[] = [
  ['check', [at('past.csv')], 'check'],
  ['check', [at('past.csv'), '--goal', 'max yield', '--bounds', 'a=0.6..1', '--bounds', 'b=0.7..1'], 'check'],
  ['score', [run, at('past.csv')], 'score'],
  ['explain', [run], 'explain'],
  ['rehearse', [at('past.csv'), '--goal', 'max yield', '--top', '0.2'], 'rehearse'],
  ['runs show', [run], 'candidates'],
  ['runs resume', [run], 'candidates'],
  ['runs list', [place.folder], 'runs-list'],
  ['data list', [], 'data-list'],
  ['data verify', ['ant-morphology'], 'data-verify'],
  ['doctor', [], 'doctor'],
  ['bench list', [], 'bench-list'],
  ['bench table', [at('records')], 'bench-table'],
  ['bench table', [at('records'), '--paper'], 'bench-table'],
  ['bench compare', [at('records')], 'bench-compare'],
];

describe('--json', () => {
  it.each(asked)('of %s %j is as schemas/%s.schema.json says', async (command, args, name) => {
    if (args[0] === at('records') && !existsSync(args[0])) writeRecords(args[0]);
    const { stdout } = await called(...command.split(' '), ...args, '--json');
    requireValid(name, JSON.parse(stdout));
  });

  it('of reproduce says which values differ', async () => {
    const document = { ...JSON.parse(readText('run', 'candidates.json')), constraints: [] };
    document.run.version = '0.0.1';
    const changed = at('changed');
    place.shell('cp -r run changed');
    const text = JSON.stringify(document);
    writeFileSync(join(changed, 'candidates.json'), text);
    const manifest = JSON.parse(readText('changed', 'manifest.json'));
    const { sha256Of } = await import('../../src/runs/runFiles.js');
    manifest.files['candidates.json'].sha256 = sha256Of(text);
    const { printManifest } = await import('../../src/runs/manifest.js');
    const { checksum: _, ...rest } = manifest;
    writeFileSync(join(changed, 'manifest.json'), printManifest(rest));
    const { code, stdout } = await called('reproduce', changed, '--json');
    const found = JSON.parse(stdout);
    requireValid('reproduce', found);
    expect(code).toBe(1);
    expect(found).toMatchObject({
      isSame: false,
      versions: { a: '0.0.1' },
      differences: [{ path: 'constraints[0]', b: 'a + b = 1' }],
    });
  });

  it('of bench conform, and the records of bench run', () => {
    const conform = place.nemokit(['bench', 'conform', example, '--only', 'id of its own', '--json']);
    expect([conform.status, conform.stderr]).toEqual([0, '']);
    requireValid('bench-conform', JSON.parse(conform.stdout));
    const trial = ['--plugin', example, '--task', 'sphere5-v1', '--algorithm', 'jitter', '--seeds', '0'];
    const bench = place.nemokit([
      'bench',
      'run',
      ...trial,
      '--jobs',
      '1',
      '--scores',
      '--quiet',
      '--out',
      'trials',
    ]);
    expect([bench.status, bench.stderr]).toEqual([0, '']);
    for (const record of linesOf(readText('trials', 'records.jsonl'))) requireValid('records', record);
  });

  it('is an option of no other command', async () => {
    const tested = [...asked.map(([command]) => command), 'design', 'reproduce', 'bench conform'];
    expect((await jsonCommands()).toSorted()).toEqual([...new Set(tested)].toSorted());
  });
});

describe('documents made up for other tests', () => {
  const madeUp = /numbers|zeros|no rows held out/;

  it('are as a run would write them', () => {
    for (const document of [sampleDocument(), sampleRun()])
      expect(faultsOf('candidates', document)).toEqual([]);
    for (const [name, make] of Object.entries(oddDocuments).filter(([name]) => !madeUp.test(name))) {
      const document = make();
      // texts are changed there, and a checksum is no longer one
      const checked = { ...document, data: { ...document.data, sha256: undefined } };
      expect({ name, faults: faultsOf('candidates', checked) }).toEqual({ name, faults: [] });
    }
    expect(faultsOf('records', sampleRecord({ seed: 3 }))).toEqual([]);
  });

  it('are refused where a number is none', () => {
    for (const name of ['numbers that are none', 'numbers without end', 'no rows held out'])
      expect(faultsOf('candidates', oddDocuments[name]!()), name).not.toEqual([]);
  });

  it('may lack what only a folder knows', () => {
    const { run: kept, data, ...rest } = sampleRun();
    const { id: _, created: __, seconds: ___, ...made } = kept;
    const { sha256: ____, ...table } = data;
    expect(faultsOf('candidates', { ...rest, run: made, data: table })).toEqual([]);
  });
});

describe('a schema', () => {
  it.each(schemaNames.filter((name) => name !== 'problem' && name !== 'spec'))(
    '%s refuses changes',
    (name) => {
      const valid = samples.get(name) ?? [];
      expect(valid.length).toBeGreaterThan(0);
      const { required } = readSchema(name);
      for (const value of valid.slice(-40) as Record<string, unknown>[]) {
        expect(faultsOf(name, { ...value, unheardOf: 1 }), 'an extra field').not.toEqual([]);
        for (const key of (required as string[] | undefined) ?? ['event']) {
          const { [key]: _, ...rest } = value;
          expect(faultsOf(name, rest), `without ${key}`).not.toEqual([]);
        }
      }
      const changed = valid.flatMap((value) => [...withTextForNumber(value, value)]);
      expect(changed.length).toBeGreaterThan(0);
      for (const [path, value] of changed)
        expect([path, faultsOf(name, value).length > 0]).toEqual([path, true]);
    },
  );
});

function writeRecords(folder: string): void {
  mkdirSync(folder);
  const records = ['branin-v1', 'hartmann6-v1'].flatMap((task) =>
    ['nemo', 'forward'].flatMap((algorithm) =>
      [0, 1, 2].map((seed) => sampleRecord({ task, algorithm, seed })),
    ),
  );
  writeFileSync(
    join(folder, 'records.jsonl'),
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
}

/** Of a list the first item only; what stands below `options`, and cells and values of designs, may be a text. */
const free = /^(?:options|cells|from|to|at|value|a|b)$/;

/** The whole value with a text in place of one number, for every number in it. */
function* withTextForNumber(
  root: unknown,
  node: unknown,
  path: readonly string[] = [],
): Generator<[string, unknown]> {
  if (typeof node === 'number') yield [path.join('.'), replaced(root, path, `${node}`)];
  if (typeof node !== 'object' || node === null) return;
  const entries = Object.entries(node).slice(0, Array.isArray(node) ? 1 : undefined);
  for (const [key, inner] of entries)
    if (!free.test(key)) yield* withTextForNumber(root, inner, [...path, key]);
}

function replaced(node: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(node))
    return node.map((item, i) => (String(i) === key ? replaced(item, rest, by) : item));
  const fields = node as Record<string, unknown>;
  return { ...fields, [key]: replaced(fields[key], rest, by) };
}
