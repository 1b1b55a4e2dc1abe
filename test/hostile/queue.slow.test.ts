// The queue of trials with a Redis of our own that forgets, and workers that lack something.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readRecords } from '../../src/bench/records.js';
import { parseQueueUrl, queuePassword } from '../../src/bench/trialQueue.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) process.stderr.write('the queue under attack skipped: no redis-server on the PATH\n');

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

const secret = 'a secret word';
const folder = mkdtempSync(join(tmpdir(), 'nemokit-queue-'));
let count = 0;
const out = () => join(folder, `out-${++count}`);

interface Running {
  readonly child: ChildProcess;
  readonly text: () => string;
  readonly ended: Promise<number | null>;
}

function nemokit(args: readonly string[], env: Record<string, string>, home = root): Running {
  const child = spawn(process.execPath, [join(home, 'dist/cli/main.js'), ...args], {
    env: { ...process.env, NO_COLOR: '1', NEMOKIT_QUEUE_PASSWORD: secret, ...env },
  });
  started.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  return { child, text: () => text, ended: new Promise((resolve) => child.on('close', resolve)) };
}

async function until(condition: () => boolean, what: () => string): Promise<void> {
  const end = performance.now() + 300_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited five minutes: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Ended, whether or not anybody has asked for its exit code. */
function isGone(pid: string): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** A Redis that keeps nothing on the disk. Its settings come on standard input, where `ps` does not show them. */
async function startRedis(port: number): Promise<ChildProcess> {
  const child = spawn('redis-server', ['-'], { stdio: ['pipe', 'pipe', 'ignore'], cwd: folder });
  started.push(child);
  child.stdin.end(`port ${port}\nbind 127.0.0.1\nsave ""\nrequirepass "${secret}"\n`);
  await new Promise<void>((resolve) =>
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Ready to accept connections')) resolve();
    }),
  );
  return child;
}

const trials = (seeds: string, task = 'branin-v1') => [
  ...['bench', 'run', '--task', task, '--algorithm', 'nemo', '--seeds', seeds],
  ...['--set', 'pretrainSteps=300', '--set', 'steps=10', '--set', 'hidden=16,16', '--set', 'batchSize=16'],
];

describe.skipIf(!hasRedis)('a queue', () => {
  it('whose Redis forgets everything in mid-run ends with all records', async () => {
    const port = await freePort();
    const queue = { NEMOKIT_QUEUE: `redis://127.0.0.1:${port}` };
    const redis = await startRedis(port);
    const results = out();
    const submit = nemokit([...trials('0-5'), '--out', results], queue);
    const worker = nemokit(['worker', '--jobs', '1', '--claim', '3s'], queue);
    await until(() => worker.text().includes(' done'), worker.text);
    const gone = new Promise((resolve) => redis.once('exit', resolve));
    redis.kill('SIGKILL');
    await gone;
    // long enough for the trial that runs to end with nobody to tell
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await startRedis(port);
    expect(await submit.ended, `${submit.text()}\n${worker.text()}`).toBe(0);
    const { records, torn } = await readRecords(results);
    expect(torn).toEqual([]);
    expect(records.map(({ seed }) => seed).toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    // a trial that was finished while Redis was away is not computed again
    const starts = worker.text().match(/seed \d+ done/g) ?? [];
    expect(starts.length).toBeLessThanOrEqual(12);
    expect(submit.text()).toContain('does not answer; waiting for it');
  });

  it('a worker without the data, or with other code, hands trials back once and leaves them to a good one', async () => {
    const port = await freePort();
    await startRedis(port);
    const queue = { NEMOKIT_QUEUE: `redis://127.0.0.1:${port}` };
    // a copy of the package with another build
    const other = join(folder, 'other');
    cpSync(join(root, 'dist'), join(other, 'dist'), { recursive: true });
    cpSync(join(root, 'package.json'), join(other, 'package.json'));
    symlinkSync(join(root, 'node_modules'), join(other, 'node_modules'));
    const [name] = readdirSync(join(other, 'dist/cli')).filter((file) => /^chunk.*\.js$/.test(file));
    writeFileSync(
      join(other, 'dist/cli', name!),
      `${readFileSync(join(other, 'dist/cli', name!), 'utf8')}\n// changed\n`,
    );
    const stranger = nemokit(['worker', '--jobs', '1'], queue, other);
    await until(() => stranger.text().includes('working on'), stranger.text);
    const results = out();
    const submit = nemokit([...trials('0-3'), '--out', results], queue);
    await until(() => stranger.text().includes('handed back'), stranger.text);
    await until(() => submit.text().includes('cannot run branin-v1'), submit.text);
    const good = nemokit(['worker', '--jobs', '1'], queue);
    expect(await submit.ended, submit.text()).toBe(0);
    expect((await readRecords(results)).records).toHaveLength(4);
    expect(stranger.text().match(/handed back/g)).toHaveLength(1);
    expect(stranger.text()).toMatch(
      /its code is \w{16}, and the trial is for \w{16}; install the same build/,
    );
    expect(stranger.text()).not.toContain('started');
    for (const { child } of [stranger, good]) child.kill('SIGTERM');
    await Promise.all([stranger.ended, good.ended]);
  });

  it('says that a password is wrong or missing, and shows none in its command line', async () => {
    const port = await freePort();
    await startRedis(port);
    const address = `redis://127.0.0.1:${port}`;
    const wrong = nemokit(['worker', '--queue', address], { NEMOKIT_QUEUE_PASSWORD: 'other' });
    expect(await wrong.ended).toBe(2);
    expect(wrong.text()).toContain(
      `the Redis at ${address} refuses this password or name; set NEMOKIT_QUEUE_PASSWORD`,
    );
    const none = nemokit(['worker', '--queue', address], { NEMOKIT_QUEUE_PASSWORD: '' });
    expect(await none.ended).toBe(2);
    expect(none.text()).toContain('refuses to work without a password');
    const file = join(folder, 'password');
    writeFileSync(file, `${secret}\n`);
    const right = nemokit(['worker', '--queue', address], {
      NEMOKIT_QUEUE_PASSWORD: '',
      NEMOKIT_QUEUE_PASSWORD_FILE: file,
    });
    await until(() => right.text().includes('working on'), right.text);
    expect(readFileSync(`/proc/${right.child.pid}/cmdline`, 'utf8')).not.toContain('secret');
    right.child.kill('SIGTERM');
    expect(await right.ended).toBe(0);
  });

  it('a worker that is killed leaves no process, and its trial says nothing', async () => {
    const port = await freePort();
    await startRedis(port);
    const queue = { NEMOKIT_QUEUE: `redis://127.0.0.1:${port}` };
    const submit = nemokit([...trials('0'), '--set', 'pretrainSteps=20000', '--out', out()], queue);
    const worker = nemokit(['worker', '--jobs', '1'], queue);
    await until(() => worker.text().includes(' started'), worker.text);
    const children = () =>
      spawnSync('pgrep', ['-P', String(worker.child.pid)], { encoding: 'utf8' })
        .stdout.trim()
        .split('\n')
        .filter(Boolean);
    await until(() => children().length > 0, worker.text);
    const pids = children();
    worker.child.kill('SIGKILL');
    // closes when the last process that holds its standard error has ended
    await worker.ended;
    for (const pid of pids) expect(isGone(pid), pid).toBe(true);
    expect(worker.text()).not.toMatch(/Error|^\s+at /m);
    submit.child.kill('SIGKILL');
    await submit.ended;
  });
});

describe('the password of a queue', () => {
  it('comes from the address, else from the environment, else from a file', async () => {
    expect(await queuePassword({})).toBeUndefined();
    expect(await queuePassword({ NEMOKIT_QUEUE_PASSWORD: 'a' })).toBe('a');
    const file = join(folder, 'word');
    writeFileSync(file, 'b\r\nrest');
    expect(await queuePassword({ NEMOKIT_QUEUE_PASSWORD_FILE: file })).toBe('b');
    await expect(queuePassword({ NEMOKIT_QUEUE_PASSWORD_FILE: join(folder, 'no') })).rejects.toThrow(
      'cannot be read: there is no such file',
    );
    expect(parseQueueUrl('redis://host', 'a').password).toBe('a');
    expect(parseQueueUrl('redis://:b@host', 'a').password).toBe('b');
  });
});
