// Logs of runs as server-sent events: read once, resumed where a client was.
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunSummary } from '../../../src/studio/protocol/index.js';
import { RunLog } from '../../../src/studio/server/runLog.js';
import { RunWatch } from '../../../src/studio/server/runWatch.js';

const folder = mkdtempSync(join(tmpdir(), 'nemokit-watch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
function newRun(): { path: string; log: string } {
  const path = mkdtempSync(join(folder, `run-${++count}-`));
  return { path, log: join(path, 'events.jsonl') };
}

const at = (second: number) => `2026-11-18T10:00:${String(second).padStart(2, '0')}.000Z`;
const progress = (second: number, fraction: number) =>
  `${JSON.stringify({ time: at(second), stage: 'train', fraction, detail: `step ${fraction}` })}\n`;
const mark = (second: number, event: string, detail?: string) =>
  `${JSON.stringify({ time: at(second), event, ...(detail && { detail }) })}\n`;

describe('a log', () => {
  it('is read once, line by line, and a torn line when it is whole', async () => {
    const { path, log } = newRun();
    const followed = new RunLog(path);
    expect(await followed.readNew()).toEqual([]);
    writeFileSync(log, mark(0, 'created') + progress(1, 0.1));
    const first = await followed.readNew();
    expect(first.map(({ event, progress }) => event ?? progress?.fraction)).toEqual(['created', 0.1]);
    const whole = progress(3, 0.2);
    appendFileSync(log, whole.slice(0, 20));
    expect(await followed.readNew()).toEqual([]);
    appendFileSync(log, whole.slice(20));
    const [line] = await followed.readNew();
    expect(line!.progress).toEqual({
      stage: 'train',
      fraction: 0.2,
      detail: 'step 0.2',
      watched: null,
      seconds: 3,
    });
    // the place in the file, which a new server finds again
    expect(line!.id).toBe(Buffer.byteLength(mark(0, 'created') + progress(1, 0.1) + whole));
    expect((await new RunLog(path).readNew()).at(-1)).toEqual(line);
  });

  it('counts the time of work, not of pauses', async () => {
    const { path, log } = newRun();
    writeFileSync(log, mark(0, 'created') + progress(2, 0.1) + mark(3, 'interrupted', 'paused'));
    appendFileSync(log, mark(50, 'resumed') + progress(51, 0.2));
    const lines = await new RunLog(path).readNew();
    expect(lines.at(-1)!.progress!.seconds).toBe(4);
    expect(lines[2]).toMatchObject({ event: 'interrupted', detail: 'paused' });
  });

  it('goes on after a torn line was cut off', async () => {
    const { path, log } = newRun();
    const followed = new RunLog(path);
    writeFileSync(log, mark(0, 'created'));
    const { length } = Buffer.from(mark(0, 'created'));
    appendFileSync(log, '{"time":"2026');
    await followed.readNew();
    truncateSync(log, length);
    appendFileSync(log, mark(5, 'resumed'));
    expect((await followed.readNew()).map(({ event }) => event)).toEqual(['resumed']);
  });

  it('leaves out what is no event, and lines without end', async () => {
    const { path, log } = newRun();
    writeFileSync(log, `null\n[]\nnonsense\n${'x'.repeat(3_000_000)}\n${progress(1, 0.5)}`);
    const lines = await new RunLog(path).readNew();
    expect(lines.flatMap(({ progress }) => progress?.fraction ?? [])).toEqual([0.5]);
    const { size } = await import('node:fs').then(({ statSync }) => statSync(log));
    expect(lines.at(-1)!.id).toBe(size);
  });
});

function watchOf(
  path: string,
  status: () => RunSummary['status'] = () => 'running',
  mostClients = 200,
  mostNew = 100,
) {
  return new RunWatch({
    pathOf: async () => path,
    summaryOf: async () => ({ id: 'a', status: status() }) as RunSummary,
    every: 5,
    mostClients,
    mostNew,
  });
}

/** Reads events until `isEnough`. */
async function read(
  stream: ReadableStream<Uint8Array>,
  isEnough: (text: string) => boolean,
): Promise<string> {
  let text = '';
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  while (!isEnough(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  reader.releaseLock();
  return text;
}

/** Of a request that nobody gives up. */
const never = () => new AbortController().signal;
const fractions = (text: string) =>
  [...text.matchAll(/"fraction":([\d.]+)/g)].map(([, share]) => Number(share));

describe('watching', () => {
  it('tells the status first, then all progress, then what is new', async () => {
    const { path, log } = newRun();
    writeFileSync(log, mark(0, 'created') + progress(1, 0.1));
    const watch = watchOf(path);
    const stream = await watch.open('a', 0, never());
    const first = await read(stream, (text) => text.includes('0.1'));
    expect(first).toMatch(
      /^retry: 1000\n\ndata: \{"kind":"status","summary":\{"id":"a","status":"running"\}\}\n\n/,
    );
    appendFileSync(log, progress(2, 0.2));
    expect(fractions(await read(stream, (text) => text.includes('0.2')))).toEqual([0.2]);
    watch.close();
  });

  it('tells some of many events, the last among them', async () => {
    const { path, log } = newRun();
    const lines = Array.from({ length: 4000 }, (_, i) => progress(i, (i + 1) / 10_000));
    writeFileSync(log, lines.join(''));
    const watch = watchOf(path, undefined, undefined, 4);
    const stream = await watch.open('a', 0, never());
    const past = fractions(await read(stream, (text) => text.includes('"fraction":0.4,')));
    expect(past).toHaveLength(400);
    expect(past.slice(0, 2)).toEqual([0.001, 0.002]);
    appendFileSync(log, Array.from({ length: 40 }, (_, i) => progress(4000 + i, (i + 51) / 100)).join(''));
    const fresh = fractions(await read(stream, (text) => text.includes('"fraction":0.9,')));
    expect(fresh).toEqual([0.6, 0.7, 0.8, 0.9]);
    watch.close();
  });

  it('goes on after the last event that a client has seen, also with a new server', async () => {
    const { path, log } = newRun();
    writeFileSync(log, [1, 2, 3, 4].map((second) => progress(second, second / 10)).join(''));
    const all = await read(await watchOf(path).open('a', 0, never()), (text) => text.includes('0.4'));
    const ids = [...all.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids.length).toBe(4);
    const rest = await read(await watchOf(path).open('a', ids[1]!, never()), (text) => text.includes('0.4'));
    expect(fractions(rest)).toEqual([0.3, 0.4]);
  });

  it('gives every client every event once, whenever it comes', async () => {
    const { path, log } = newRun();
    writeFileSync(log, '');
    const watch = watchOf(path);
    const clients: Promise<string>[] = [];
    for (let step = 1; step <= 40; step++) {
      appendFileSync(log, progress(step, step / 100));
      if (step % 2 === 0)
        clients.push(
          watch
            .open('a', 0, never())
            .then((stream) => read(stream, (text) => text.includes('0.4}') || text.includes(':0.4,'))),
        );
      await setTimeout(2);
    }
    const expected = Array.from({ length: 40 }, (_, i) => (i + 1) / 100);
    for (const text of await Promise.all(clients)) expect(fractions(text)).toEqual(expected);
    watch.close();
  });

  it('tells when another process ends the run', async () => {
    const { path, log } = newRun();
    writeFileSync(log, mark(0, 'created'));
    let status: RunSummary['status'] = 'running';
    const watch = watchOf(path, () => status);
    const stream = await watch.open('a', 0, never());
    status = 'done';
    appendFileSync(log, mark(9, 'done'));
    expect(await read(stream, (text) => text.includes('"done"'))).toContain('"status":"done"');
    watch.close();
  });

  it('tells how a run stands now, also while an older answer is on its way', async () => {
    const { path, log } = newRun();
    writeFileSync(log, '');
    let status: RunSummary['status'] = 'running';
    /** What waits for an answer to arrive. */
    let held: (() => void) | undefined;
    let isHolding = false;
    const watch = new RunWatch({
      pathOf: async () => path,
      summaryOf: async () => {
        const found = status;
        if (isHolding)
          await new Promise<void>((resolve) => {
            held = resolve;
          });
        return { id: 'a', status: found } as RunSummary;
      },
      every: 5,
    });
    const stream = await watch.open('a', 0, never());
    isHolding = true;
    const early = watch.announce('a');
    await expect.poll(() => held).toBeDefined();
    isHolding = false;
    status = 'paused';
    const late = watch.announce('a');
    // it has asked by now
    await setTimeout(50);
    held!();
    await Promise.all([early, late]);
    const told = await read(stream, (text) => text.includes('"paused"'));
    expect([...told.matchAll(/"status":"(\w+)"/g)].map(([, word]) => word)).toEqual([
      'running',
      'running',
      'paused',
    ]);
    watch.close();
  });

  it('tells a client that comes while the status changes, or while the last one leaves', async () => {
    const { path, log } = newRun();
    writeFileSync(log, '');
    let status: RunSummary['status'] = 'running';
    const watch = new RunWatch({
      pathOf: async () => path,
      summaryOf: async () => {
        const found = status;
        await setTimeout(30);
        return { id: 'a', status: found } as RunSummary;
      },
      every: 5,
    });
    const gone = new AbortController();
    await watch.open('a', 0, gone.signal);
    // a page that is reloaded: its new stream is asked for before the old one has ended
    const opening = watch.open('a', 0, never());
    await setTimeout(10);
    gone.abort();
    const stream = await opening;
    appendFileSync(log, progress(1, 0.1));
    expect(fractions(await read(stream, (text) => text.includes('0.1')))).toEqual([0.1]);
    const late = watch.open('a', 0, never());
    await setTimeout(10);
    status = 'paused';
    await watch.announce('a');
    for (const client of [stream, await late])
      expect(await read(client, (text) => text.includes('"paused"'))).toContain('"status":"paused"');
    watch.close();
  });

  it('cuts off a client that does not read, and lets the others go on', async () => {
    const { path, log } = newRun();
    writeFileSync(log, '');
    const watch = watchOf(path);
    const idle = await watch.open('a', 0, never());
    const awake = await watch.open('a', 0, never());
    const detail = 'x'.repeat(500_000);
    const line = (fraction: number) =>
      `${JSON.stringify({ time: at(1), stage: 'train', fraction, detail })}\n`;
    let seen = 0;
    for (let step = 1; step <= 20; step++) {
      appendFileSync(log, line(step / 100));
      seen += fractions(await read(awake, (text) => text.includes(`"fraction":${step / 100}`))).length;
    }
    expect(seen).toBe(20);
    const left = fractions(await read(idle, () => false)).length;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(20);
    watch.close();
  });

  it('ends with the request, and has room again then', async () => {
    const { path, log } = newRun();
    writeFileSync(log, '');
    const watch = watchOf(path, () => 'running', 1);
    const gone = new AbortController();
    await watch.open('a', 0, gone.signal);
    await expect(watch.open('a', 0, never())).rejects.toThrow('too many pages watch runs');
    gone.abort();
    await (await watch.open('a', 0, never())).cancel();
    await (await watch.open('a', 0, never())).cancel();
  });
});
