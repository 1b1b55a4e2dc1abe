// `nemokit design`, killed, stopped, cut off and crowded: the folder is sound and the result the same.
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { compareRuns } from '../../src/runs/reproduce.js';
import { least, Workplace } from './smallRun.js';

const place = new Workplace();
const design = (out: string, ...more: string[]) => ['design', 'past.csv', ...least, '--out', out, ...more];

beforeAll(() => {
  const { status, stderr } = place.nemokit(design('whole', '--quiet'));
  expect([stderr, [0, 3].includes(status!)]).toEqual(['', true]);
});

function requireSame(out: string): void {
  for (const name of ['candidates.csv', 'model.safetensors', 'model.json', 'data.parquet', 'problem.yaml'])
    expect(place.read(out, name).equals(place.read('whole', name)), name).toBe(true);
  const [a, b] = ['whole', out].map((run) => place.json(run, 'candidates.json'));
  expect(compareRuns(a, b)).toEqual({ isSame: true, differences: [], kernels: null });
  expect(place.json(out, 'manifest.json').status).toBe('done');
  const left = readdirSync(join(place.folder, out)).filter((name) => /tmp|lock|edited|checkpoint/.test(name));
  expect(left).toEqual([]);
}

describe('nemokit design', () => {
  it.each([1, 2])(
    'killed at twenty moments on %i threads and resumed gives the same bytes each time',
    async (threads) => {
      const out = `killed-${threads}`;
      const stream = new Stream(rootKey(20 + threads));
      // Some before anything is printed, the others over the whole run and a little beyond what it tells.
      const moments = Array.from({ length: 17 }, () => stream.uniform()).sort((a, b) => a - b);
      const often = { NEMOKIT_SAVE: '0.02s', NEMOKIT_THREADS: String(threads) };
      let resumed = 0;
      for (let kill = 0; kill < 20; kill++) {
        const run = place.start(design(out, '--resume', '--jsonl'), often);
        if (kill < 3) await setTimeout(900 * stream.uniform());
        else {
          await run.reaches(moments[kill - 3]!);
          await setTimeout(60 * stream.uniform());
        }
        run.child.kill('SIGKILL');
        const { code, signal } = await run.ended;
        expect([signal === 'SIGKILL' || code === 0 || code === 3, run.stderr]).toEqual([true, run.stderr]);
        expect(run.stderr).not.toMatch(/nemokit:|bug/);
        const first = /"fraction":([\d.e-]+)/.exec(run.stdout);
        if (first && Number(first[1]) > 0) resumed++;
        // what this kill left is resumed to the end in a copy; the next kill meets the folder itself
        const copy = `${out}-${kill}`;
        if (existsSync(join(place.folder, out)))
          cpSync(join(place.folder, out), join(place.folder, copy), { recursive: true });
        const ended = place.nemokit(design(copy, '--resume', '--quiet'), often);
        expect([0, 3], `kill ${kill}: ${ended.stderr}`).toContain(ended.status);
        requireSame(copy);
        rmSync(join(place.folder, copy), { recursive: true });
      }
      // It did go on from saved states, and was not begun again each time.
      expect(resumed).toBeGreaterThanOrEqual(8);
      const { status, stderr } = place.nemokit(design(out, '--resume', '--quiet'), often);
      expect([0, 3], stderr).toContain(status);
      requireSame(out);
    },
    1_800_000,
  );

  it('stopped by Ctrl-C saves its state, and goes on with the same bits', async () => {
    const run = place.start(design('stopped', '--jsonl'));
    await run.reaches(0.3);
    run.child.kill('SIGINT');
    expect(await run.ended).toEqual({ code: 130, signal: null });
    expect(run.stderr).toBe('stopped; go on with: nemokit runs resume stopped\n');
    expect(run.stdout.trimEnd().split('\n').at(-1)).toBe('{"event":"interrupted","run":"stopped"}');
    expect(place.json('stopped', 'manifest.json').status).toBe('interrupted');
    const shown = place.nemokit(['runs', 'show', 'stopped']);
    expect(shown.stdout).toMatch(/Status +stopped, \d\d % done after .* s \((validating|training): /);
    expect(shown.stdout).toContain('Next     nemokit runs resume stopped\n');
    const early = place.nemokit(['explain', 'stopped']);
    expect([early.status, early.stderr]).toEqual([
      2,
      'nemokit: stopped has no results yet: the run is not finished; finish it with "nemokit runs resume stopped"\n',
    ]);
    const { status, stdout } = place.nemokit(['runs', 'resume', 'stopped', '--quiet']);
    expect([0, 3]).toContain(status);
    expect(stdout).toContain('Saved    stopped/ (candidates.csv, report.html)\n');
    requireSame('stopped');
    const again = place.nemokit(['runs', 'resume', 'stopped']);
    expect([again.status, again.stderr, again.stdout]).toEqual([0, 'stopped is done already\n', stdout]);
  });

  it('ends quietly when nobody listens any more, and can go on', () => {
    const line = `$NEMOKIT ${design('piped', '--jsonl')
      .map((word) => `'${word}'`)
      .join(' ')} | head -1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = place.shell(line);
    expect([stdout, stderr]).toEqual(['{"event":"started","eventsVersion":1,"run":"piped"}\n0\n', '']);
    expect(existsSync(join(place.folder, 'piped', 'lock.json'))).toBe(false);
    expect([0, 3]).toContain(place.nemokit(['runs', 'resume', 'piped', '--quiet']).status);
    requireSame('piped');
    const shown = place.shell(`$NEMOKIT runs show piped | head -1; echo "\${PIPESTATUS[0]}"`);
    expect([shown.stdout, shown.stderr]).toEqual(['\n0\n', '']);
  });

  it('is refused where another one writes, which goes on unharmed', async () => {
    const first = place.start(design('crowded', '--jsonl'));
    await first.until((text) => text.includes('started'));
    // It waits, alive and holding its lock, so that it cannot be done before the others come.
    first.child.kill('SIGSTOP');
    const refused = new RegExp(`^nemokit: crowded is in use: process ${first.child.pid} on .* since 20`);
    for (const args of [
      design('crowded'),
      design('crowded', '--resume'),
      ['runs', 'resume', 'crowded'],
      ['runs', 'rm', 'crowded', '--yes'],
    ]) {
      const { status, stderr } = place.nemokit(args);
      expect([status, stderr.split('\n').length]).toEqual([2, 2]);
      expect(stderr).toMatch(refused);
    }
    first.child.kill('SIGCONT');
    const { code } = await first.ended;
    expect([0, 3]).toContain(code);
    requireSame('crowded');
  });

  it('with a time limit ends in time, with candidates or a state to go on from', () => {
    const { status, stderr } = place.nemokit(design('short', '--time', '1s', '--set', 'steps=2000'));
    expect(status).toBe(5);
    expect(stderr).toContain('the time is over; go on with: nemokit runs resume short\n');
    const { status: state } = place.json('short', 'manifest.json');
    expect(['interrupted', 'partial']).toContain(state);
    const listed = place.nemokit(['runs', 'list', '.', '--json']);
    const found = JSON.parse(listed.stdout).runs.find(({ name }: { name: string }) => name === 'short');
    expect(found.status).toBe(state);
  });

  it('refuses a folder of a newer version, and damaged ones', () => {
    place.shell('mkdir -p newer damaged && cp whole/* newer/ && cp whole/* damaged/');
    const manifest = place.json('whole', 'manifest.json');
    writeFileSync(
      join(place.folder, 'newer', 'manifest.json'),
      JSON.stringify({ ...manifest, manifestVersion: 4, version: '9.0.0' }),
    );
    const newer = `nemokit: newer was made by nemokit 9.0.0, this is ${manifest.version}: update nemokit\n`;
    writeFileSync(join(place.folder, 'damaged', 'data.parquet'), 'PAR1');
    const damaged =
      'nemokit: damaged/data.parquet has changed since the run wrote it; put the old one back, or run again\n';
    const rows = 'past.csv';
    for (const [args, message] of [
      [design('newer', '--resume'), newer],
      [['runs', 'resume', 'newer'], newer],
      [['runs', 'show', 'newer'], newer],
      [['runs', 'rm', 'newer', '--yes'], newer],
      [['score', 'newer', rows], newer],
      [['explain', 'newer'], newer],
      [['reproduce', 'newer'], newer],
      [['score', 'damaged', rows], damaged],
      [['explain', 'damaged'], damaged],
      [['reproduce', 'damaged'], damaged],
    ] as const) {
      const { status, stdout, stderr } = place.nemokit(args);
      expect([args.join(' '), status, stdout, stderr]).toEqual([args.join(' '), 2, '', message]);
    }
  });
});
