// Trials over a queue: a Redis of our own on loopback, three workers, one of which is killed in mid-trial.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readRecords } from '../../src/bench/records.js';
import { describeQueue, parseQueueUrl } from '../../src/bench/trialQueue.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) process.stderr.write('trials over a queue skipped: no redis-server on the PATH\n');

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

interface Running {
  readonly child: ChildProcess;
  readonly text: () => string;
  readonly ended: Promise<number | null>;
}

function nemokit(args: readonly string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, NO_COLOR: '1', ...env } });
  started.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  return { child, text: () => text, ended: new Promise((resolve) => child.on('close', resolve)) };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

const secret = 'a secret word';

async function startRedis(): Promise<string> {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'nemokit-redis-'));
  const args = [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--dir',
    dir,
    '--requirepass',
    secret,
  ];
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  await new Promise<void>((resolve) =>
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Ready to accept connections')) resolve();
    }),
  );
  return `redis://:${encodeURIComponent(secret)}@127.0.0.1:${port}/1`;
}

const trials = [
  ...['--task', 'branin-v1', '--algorithm', 'nemo', '--seeds', '0-5', '--set', 'pretrainSteps=300'],
  ...['--set', 'steps=10', '--set', 'hidden=16,16', '--set', 'batchSize=16'],
];
const out = () => join(mkdtempSync(join(tmpdir(), 'nemokit-queue-')), 'out');

async function results(folder: string) {
  const { records, torn } = await readRecords(folder);
  expect(torn).toEqual([]);
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
  return Object.fromEntries(records.map(({ id, seed, options, result }) => [id, { seed, options, result }]));
}

describe.skipIf(!hasRedis)('trials over a queue', () => {
  it('end with the records of a local run, though a worker is killed and the submitter is stopped', async () => {
    const queue = await startRedis();
    const local = out();
    expect(await nemokit(['bench', 'run', ...trials, '--out', local, '--quiet']).ended).toBe(0);

    const work = () => nemokit(['worker', '--queue', queue, '--jobs', '1', '--claim', '2s']);
    const remote = out();
    const submit = () => nemokit(['bench', 'run', ...trials, '--out', remote], { NEMOKIT_QUEUE: queue });
    const first = submit();
    const victim = work();
    await until(() => victim.text().includes(' started'));
    victim.child.kill('SIGKILL');
    await victim.ended;

    const others = [work(), work()];
    await until(() => others.some((own) => own.text().includes(' done')));
    await until(() => first.text().includes(' joined\n'));
    const names = [victim, ...others].map(({ child }) => `worker ${hostname()}-${child.pid} joined`);
    expect(names.some((words) => first.text().includes(words))).toBe(true);
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(130);

    const second = submit();
    expect(await second.ended, second.text()).toBe(0);
    for (const { child } of others) child.kill('SIGTERM');
    expect(await Promise.all(others.map(({ ended }) => ended))).toEqual([0, 0]);
    for (const own of others) expect(own.text()).toContain('finishing the running trials');

    const computed = await results(remote);
    expect(Object.keys(computed)).toHaveLength(6);
    expect(computed).toEqual(await results(local));

    const said = [first, second, victim, ...others].map(({ text }) => text()).join();
    const kept = readFileSync(join(remote, 'records.jsonl'), 'utf8');
    for (const word of [secret, encodeURIComponent(secret)]) {
      expect(said).not.toContain(word);
      expect(kept).not.toContain(word);
    }
  });

  it('say at once that no Redis answers', async () => {
    const address = `redis://user:${secret.replaceAll(' ', '')}@127.0.0.1:${await freePort()}`;
    const worker = nemokit(['worker', '--queue', address]);
    expect(await worker.ended).toBe(2);
    expect(worker.text()).toContain('no Redis answers at redis://127.0.0.1:');
    expect(worker.text()).not.toContain('secret');
  });
});

describe('the address of a queue', () => {
  it('is read with its credentials, and shown without', () => {
    expect(parseQueueUrl('rediss://me:pass%20word@host:7000/3')).toEqual({
      host: 'host',
      port: 7000,
      db: 3,
      username: 'me',
      password: 'pass word',
      tls: {},
      maxRetriesPerRequest: null,
    });
    expect(parseQueueUrl('redis://host')).toEqual({
      host: 'host',
      port: 6379,
      db: 0,
      maxRetriesPerRequest: null,
    });
    expect(describeQueue('redis://me:word@host:7000/3')).toBe('redis://host:7000/3');
  });

  it.each(['host:6379', 'http://me:word@host', 'redis://me:word@host/name', 'redis://'])(
    '%s is none',
    (text) => {
      expect(() => parseQueueUrl(text)).toThrow(/the queue is/);
      try {
        parseQueueUrl(text);
      } catch (error) {
        expect(String(error)).not.toContain('word');
      }
    },
  );
});
