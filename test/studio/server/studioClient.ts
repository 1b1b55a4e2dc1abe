// A studio started as a process, and spoken to by HTTP alone.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type {
  Ask,
  CallName,
  Host,
  OpenedTable,
  RunEvent,
  RunSummary,
} from '../../../src/studio/protocol/index.js';

const script = fileURLToPath(new URL('./startServer.mjs', import.meta.url));

export class StudioClient {
  private constructor(
    readonly child: ChildProcess,
    readonly base: string,
    readonly token: string,
    /** Runs that went on by themselves. */
    readonly left: readonly string[],
  ) {}

  static async start(folder: string, env: Record<string, string> = {}): Promise<StudioClient> {
    const web = join(folder, '.web');
    mkdirSync(web, { recursive: true });
    writeFileSync(join(web, 'index.html'), '<!doctype html><title>test</title>');
    const child = spawn(process.execPath, [script, folder, web], {
      env: { ...process.env, NEMOKIT_KERNEL: '', NEMOKIT_THREADS: '1', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout! });
    const [line] = (await once(lines, 'line')) as [string];
    const { link, left } = JSON.parse(line) as { link: string; left: string[] };
    const { origin, searchParams } = new URL(link);
    return new StudioClient(child, origin, searchParams.get('token')!, left);
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.token}` };
  }

  async call<Name extends CallName>(
    name: Name,
    ...args: Parameters<Host[Name]>
  ): Promise<Awaited<ReturnType<Host[Name]>>> {
    const { status, answer } = await this.try(name, args);
    if (status === 200) return answer as Awaited<ReturnType<Host[Name]>>;
    throw new Error(`${name} ${status}: ${JSON.stringify(answer)}`);
  }

  async try(name: string, args: readonly unknown[]): Promise<{ status: number; answer: unknown }> {
    const response = await fetch(`${this.base}/api/${name}`, {
      method: 'POST',
      headers: { ...this.headers, 'content-type': 'application/json' },
      body: JSON.stringify(args),
    });
    return { status: response.status, answer: await response.json() };
  }

  async upload(
    name: string,
    body: string | Uint8Array,
    { path = 'openTable', type = 'application/octet-stream' } = {},
  ): Promise<{ status: number; answer: OpenedTable & RunSummary & { message?: string } }> {
    const response = await fetch(`${this.base}/api/${path}?${new URLSearchParams({ name })}`, {
      method: 'POST',
      headers: { ...this.headers, 'content-type': type },
      body: body as string,
    });
    const answer = (await response.json()) as OpenedTable & RunSummary & { message?: string };
    return { status: response.status, answer };
  }

  async file(run: string, name: string): Promise<Buffer> {
    const response = await fetch(`${this.base}/api/runs/${run}/${name}`, { headers: this.headers });
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }

  async design(table: string, name: string, ask: Ask): Promise<string> {
    const { answer } = await this.upload(name, table);
    return (await this.call('startRun', answer.id, ask)).id;
  }

  /** Events of a run until `isEnough`, as they come. */
  async watch(
    run: string,
    isEnough: (event: RunEvent, id: number | undefined) => boolean,
    after?: number,
  ): Promise<RunEvent[]> {
    const gone = new AbortController();
    const response = await fetch(`${this.base}/api/runs/${run}/events`, {
      headers: { ...this.headers, ...(after !== undefined && { 'last-event-id': String(after) }) },
      signal: gone.signal,
    });
    const events: RunEvent[] = [];
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data === undefined) continue;
        const event = JSON.parse(data) as RunEvent;
        events.push(event);
        const id = /^id: (\d+)$/m.exec(block)?.[1];
        if (isEnough(event, id === undefined ? undefined : Number(id))) {
          gone.abort();
          return events;
        }
      }
    }
    return events;
  }

  reaches(run: string, fraction: number): Promise<RunEvent[]> {
    return this.watch(run, (event) => event.kind === 'progress' && event.progress.fraction >= fraction);
  }

  async becomes(run: string, ...wanted: readonly RunSummary['status'][]): Promise<RunSummary> {
    const events = await this.watch(
      run,
      (event) => event.kind === 'status' && wanted.includes(event.summary.status),
    );
    const last = events.at(-1);
    if (last?.kind !== 'status') throw new Error('the stream ended');
    return last.summary;
  }

  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}
