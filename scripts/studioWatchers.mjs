// What twenty watchers cost a run of `nemokit studio`: the same run, alone and watched, in turns.
//   npm run build && node scripts/studioWatchers.mjs [pairs]     default 3 pairs
// CPU seconds are those of the server and all its processes (Linux: /proc), so other work on the machine hardly counts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { keepMeasured } from './studioMeasured.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const WATCHERS = 20;
const pairs = Number(process.argv[2] ?? 3);
/** Clock ticks per second, as Linux counts CPU time. */
const TICKS = 100;

/** User and system time of a process and its ended children, in seconds. @param {number} pid */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) / TICKS;
}

/** One run, from its start to its end. @param {number} watchers */
async function measure(watchers) {
  const folder = mkdtempSync(join(tmpdir(), 'nemokit-watchers-'));
  copyFileSync(join(root, 'src/studio/web/public/examples/reactor.csv'), join(folder, 'reactor.csv'));
  const studio = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'studio', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [link] = await once(createInterface({ input: studio.stdout }), 'line');
  const { origin, searchParams } = new URL(link);
  const headers = {
    authorization: `Bearer ${searchParams.get('token')}`,
    'content-type': 'application/json',
  };
  /** @param {string} name @param {unknown[]} args @returns {Promise<any>} */
  const call = async (name, ...args) => {
    const response = await fetch(`${origin}/api/${name}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(args),
    });
    if (!response.ok) throw new Error(`${name}: ${await response.text()}`);
    return response.json();
  };
  const { id: table } = await call('openTable', { kind: 'path', path: 'reactor.csv' });
  // so that all processes are there before the clock runs
  await call('about');
  const before = cpuOf(/** @type {number} */ (studio.pid));
  const began = performance.now();
  const { id } = await call('startRun', table, { goals: ['max yield'], effort: 'fast' });
  let events = 0;
  const gone = new AbortController();
  const watching = Array.from({ length: watchers }, async () => {
    const response = await fetch(`${origin}/api/runs/${id}/events`, { headers, signal: gone.signal });
    for await (const chunk of response.body ?? [])
      events += Buffer.from(chunk).toString('utf8').split('\n\n').length - 1;
  });
  const ended = Promise.allSettled(watching);
  for (;;) {
    const { status, fault } = (await call('openRun', id)).summary;
    if (status === 'done') break;
    if (status === 'failed') throw new Error(fault.message);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  const seconds = (performance.now() - began) / 1000;
  gone.abort();
  await ended;
  const exited = once(studio, 'exit');
  const cpu = cpuOf(/** @type {number} */ (studio.pid)) - before;
  studio.kill('SIGINT');
  await exited;
  rmSync(folder, { recursive: true, force: true });
  return { seconds, cpu, events };
}

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** @type {{ alone: Awaited<ReturnType<typeof measure>>[], watched: Awaited<ReturnType<typeof measure>>[] }} */
const found = { alone: [], watched: [] };
for (let pair = 0; pair < pairs; pair++) {
  found.alone.push(await measure(0));
  found.watched.push(await measure(WATCHERS));
  process.stdout.write(
    `pair ${pair + 1}: alone ${found.alone.at(-1).cpu.toFixed(2)} s of CPU, ${found.alone.at(-1).seconds.toFixed(1)} s; ` +
      `watched ${found.watched.at(-1).cpu.toFixed(2)} s, ${found.watched.at(-1).seconds.toFixed(1)} s, ${found.watched.at(-1).events} events sent\n`,
  );
}
const cpu = {
  alone: median(found.alone.map((one) => one.cpu)),
  watched: median(found.watched.map((one) => one.cpu)),
};
const share = cpu.watched / cpu.alone - 1;
process.stdout.write(`${WATCHERS} watchers: ${(100 * share).toFixed(1)} % more CPU time\n`);
keepMeasured({
  watchers: { count: WATCHERS, pairs, cpuAlone: cpu.alone, cpuWatched: cpu.watched, share },
});
