// What twenty watchers cost a run of `nemokit studio`: one run, by turns alone and watched, for some seconds each.
//   npm run build && node scripts/studioWatchers.mjs [pairs]     default 20 pairs of windows
// Steps of training per CPU second of the run's own process (Linux: /proc), so that other work on the machine hardly counts; and CPU
// seconds of the server, which could take a core from the run: what it does more for watchers counts as if the run had to wait for
// all of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { keepMeasured } from './studioMeasured.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const WATCHERS = 20;
/** Milliseconds of a window, after watchers came or left. */
const WINDOW = 4000;
const SETTLE = 1000;
const pairs = Number(process.argv[2] ?? 20);
/** Clock ticks per second, as Linux counts CPU time. */
const TICKS = 100;

const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** @param {number} pid */
const statOf = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
/** User and system time of a process, in seconds. @param {number} pid */
const cpuOf = (pid) => (Number(statOf(pid)[11]) + Number(statOf(pid)[12])) / TICKS;
/** @param {number[]} values */
const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
};

const folder = mkdtempSync(join(tmpdir(), 'nemokit-watchers-'));
copyFileSync(join(root, 'src/studio/web/public/examples/reactor.csv'), join(folder, 'reactor.csv'));
const studio = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'studio', folder], {
  stdio: ['ignore', 'pipe', 'ignore'],
  // one thread: others would spin while they wait, and count as work
  env: { ...process.env, NEMOKIT_THREADS: '1' },
});
const server = /** @type {number} */ (studio.pid);
const [link] = await once(createInterface({ input: studio.stdout }), 'line');
const { origin, searchParams } = new URL(link);
const headers = {
  authorization: `Bearer ${searchParams.get('token')}`,
  'content-type': 'application/json',
};
/** @param {string} name @param {unknown[]} args @returns {Promise<any>} */
const call = async (name, ...args) => {
  const body = JSON.stringify(args);
  const response = await fetch(`${origin}/api/${name}`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${name}: ${await response.text()}`);
  return response.json();
};

const { id: table } = await call('openTable', { kind: 'path', path: 'reactor.csv' });
const ask = { goals: ['max yield'], effort: 'fast', options: { pretrainSteps: 10_000_000 } };
const { id } = await call('startRun', table, ask);
const log = join(folder, 'runs', id, 'events.jsonl');

/** Steps of training so far; 0 before it began. */
function steps() {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  return Number(/step (\d+) of 10000000/.exec(lines.at(-1) ?? '')?.[1] ?? 0);
}
while (steps() === 0) await wait(200);

/** The child of the server that computes. */
function runProcess() {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return Number(statOf(pid)[1]) === server;
      } catch {
        return false;
      }
    });
  return children.reduce((most, pid) => (cpuOf(pid) > cpuOf(most) ? pid : most), children[0]);
}
const run = runProcess();

/** Step and CPU times at the moment when the log grows: what it says is not old then. */
async function look() {
  const before = steps();
  while (steps() === before) await wait(5);
  return { step: steps(), run: cpuOf(run), server: cpuOf(server) };
}

let events = 0;
/** @param {number} watchers */
async function measure(watchers) {
  const gone = new AbortController();
  const watching = Array.from({ length: watchers }, async () => {
    const response = await fetch(`${origin}/api/runs/${id}/events`, { headers, signal: gone.signal });
    for await (const chunk of response.body ?? [])
      events += Buffer.from(chunk).toString('utf8').split('\n\n').length - 1;
  });
  const ended = Promise.allSettled(watching);
  await wait(SETTLE);
  const from = await look();
  await wait(WINDOW);
  const to = await look();
  gone.abort();
  await ended;
  await wait(SETTLE);
  const cpu = to.run - from.run;
  return { rate: (to.step - from.step) / cpu, server: (to.server - from.server) / cpu };
}

/** @type {number[]} */
const slower = [];
/** @type {number[]} */
const served = [];
for (let pair = 0; pair < pairs; pair++) {
  // now the one first, now the other: what changes slowly cancels
  const isFirst = pair % 2 === 0;
  const first = await measure(isFirst ? 0 : WATCHERS);
  const second = await measure(isFirst ? WATCHERS : 0);
  const [alone, watched] = isFirst ? [first, second] : [second, first];
  slower.push(alone.rate / watched.rate - 1);
  served.push(watched.server - alone.server);
}
const exited = once(studio, 'exit');
studio.kill('SIGINT');
await exited;
rmSync(folder, { recursive: true, force: true });

const sorted = slower.toSorted((a, b) => a - b);
const ofRun = median(slower);
const ofServer = median(served);
const share = ofRun + ofServer;
// an interval of the median that holds with 95 % or more: order statistics, by the binomial distribution
const reach = Math.floor(pairs / 2 - 0.98 * Math.sqrt(pairs));
const interval = [sorted[Math.max(0, reach)], sorted[Math.min(pairs - 1, pairs - 1 - reach)]];
const percent = (/** @type {number} */ value) => `${(100 * value).toFixed(1)} %`;
process.stdout.write(
  `${WATCHERS} watchers, ${pairs} pairs, ${events} events: ${percent(ofRun)} in the run (${interval.map(percent).join(' to ')}), ` +
    `${percent(ofServer)} in the server, ${percent(share)} together\n`,
);
keepMeasured({ watchers: { count: WATCHERS, pairs, ofRun, interval, ofServer, share } });
