/** The server of the studio as a function of requests: who is let in, what is answered. `serve.ts` opens the port. */
import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import { type CallName, callSchemas, runFileNames, sourceSchema } from '../protocol/index.js';
import type { Access, Refusal } from './access.js';
import { readJson } from './bodies.js';
import { RefusedError, sentError } from './refused.js';
import { linkPolicy, pagePolicy, reportPolicy, securityHeaders } from './securityHeaders.js';
import type { StaticFiles } from './staticFiles.js';
import type { JsonSource, StudioHost } from './studioHost.js';

export interface AppOptions {
  readonly access: Access;
  readonly files: StaticFiles;
  /** Absent where only the pages are served, which then compute in the browser. */
  readonly host?: StudioHost;
}

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
  yaml: 'text/plain; charset=utf-8',
};

export function studioApp({ access, files, host }: AppOptions): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    const asking = { method: c.req.method, header: (name: string) => c.req.header(name) };
    const isOpening = host !== undefined && (c.req.path === '/open' || isRunLink(c));
    const refusal =
      access.hostRefusal(asking) ??
      // links may stand in other pages; the token is asked for below, or by what a link to a run leads to
      (isOpening ? undefined : access.originRefusal(asking)) ??
      (isOpening || !host ? undefined : access.tokenRefusal(asking));
    if (refusal) c.res = refused(c, refusal);
    else await next();
    for (const [name, value] of Object.entries(securityHeaders))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  });
  app.onError((error, c) => answerError(c, error));
  app.notFound((c) => answerError(c, new RefusedError(404, 'there is nothing at this address')));
  if (host) {
    app.get('/open', (c) => openLink(c, access));
    app.get('/run/:id', (c) => leadTo(c, `/#/run/${encodeURIComponent(c.req.param('id'))}/candidates`));
    addCalls(app, host);
  }
  app.get('*', async (c, next) => {
    const { path } = c.req;
    if (path === '/api' || path.startsWith('/api/')) return next();
    const file = files.at(path);
    if (!file) return next();
    return c.body(await file.read(), 200, {
      'Content-Type': file.type,
      'Cache-Control': file.isLasting ? 'private, max-age=31536000, immutable' : 'no-cache',
      'Content-Security-Policy': pagePolicy,
    });
  });
  app.all('*', onlyGet);
  return app;
}

function addCalls(app: Hono, host: StudioHost): void {
  app.post('/api/openTable', async (c) => {
    const { raw } = c.req;
    if (raw.headers.get('content-type')?.startsWith('application/json')) {
      const [source] = parsed(sourceSchema, await readJson(raw));
      return c.json(await host.openSource(source as JsonSource));
    }
    const [name = '', sheet] = [c.req.query('name'), c.req.query('sheet')];
    return c.json(await host.openUpload(raw, name, sheet));
  });
  app.post('/api/addRun', async (c) => c.json(await host.addUploadedRun(c.req.raw)));
  app.post('/api/:name', async (c) => {
    const name = c.req.param('name');
    if (!Object.hasOwn(callSchemas, name)) return c.notFound();
    const args: readonly unknown[] = parsed(callSchemas[name as CallName], await readJson(c.req.raw));
    const call = host[name as CallName] as (...args: readonly unknown[]) => Promise<unknown>;
    // no call has more than three
    const [first, second, third] = args;
    const answer = await call.call(host, first, second, third);
    return c.json((answer ?? null) as object | null);
  });
  app.get('/api/runs/:id/files/:name', async (c) => {
    const { id, name } = c.req.param();
    const known = runFileNames.find((file) => file === name);
    if (!known) return c.notFound();
    const bytes = await host.runFile(id, known);
    const isReport = known === 'report.html';
    return c.body(Uint8Array.from(bytes), 200, {
      'Content-Type': types[known.split('.').at(-1)!] ?? 'application/octet-stream',
      'Content-Disposition': `${isReport ? 'inline' : 'attachment'}; filename="${known}"`,
      ...(isReport && { 'Content-Security-Policy': reportPolicy }),
    });
  });
  app.get('/api/runs/:id/zip', async (c) =>
    c.body(Uint8Array.from(await host.saveRun(c.req.param('id'))), 200, {
      'Content-Type': 'application/zip',
      'Content-Disposition': 'attachment; filename="run.zip"',
    }),
  );
  app.get('/api/runs/:id/events', async (c) => {
    const last = Number(c.req.header('last-event-id') ?? c.req.query('after') ?? 0);
    const after = Number.isSafeInteger(last) ? last : 0;
    return c.body(await host.watch(c.req.param('id'), after, c.req.raw.signal), 200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      // nobody in between may wait for more
      'X-Accel-Buffering': 'no',
    });
  });
  app.all('/api/runs/*', onlyGet);
  app.all('/api/:name', (c) => wrongMethod(c, 'POST'));
}

/** `/open?token=...`: keeps the token as a cookie and goes on without it in the address. */
function openLink(c: Context, access: Access): Response {
  if (!access.isToken(c.req.query('token')))
    return answerError(
      c,
      new RefusedError(
        401,
        'this link is of an earlier start; open the one that "nemokit studio" printed last',
      ),
    );
  const asked = c.req.query('to') ?? '/';
  // a path of this server: two slashes, or a backslash, would lead to another one
  const to = /^\/(?![/\\])[\w\-./~%#?=&:]*$/.test(asked) ? asked : '/';
  return leadTo(c, to, { 'Set-Cookie': access.setCookie });
}

/** `/run/...`, as reports have it: says nothing of the run, and sets nothing. */
function isRunLink(c: Context): boolean {
  return c.req.method === 'GET' && /^\/run\/[^/]{1,300}$/.test(c.req.path);
}

/** Not a redirect: a browser that came from another site, or from a file, would follow it without the cookie. */
function leadTo(c: Context, to: string, headers: Readonly<Record<string, string>> = {}): Response {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>nemokit studio</title><meta http-equiv="refresh" content="0; url=${escaped(to)}"><p>Opening <a href="${escaped(to)}">the studio</a> ...</p>`;
  return c.html(page, 200, { ...headers, 'Content-Security-Policy': linkPolicy });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function onlyGet(c: Context): Response | Promise<Response> {
  return c.req.method === 'GET' || c.req.method === 'HEAD' ? c.notFound() : wrongMethod(c, 'GET');
}

function wrongMethod(c: Context, allowed: 'GET' | 'POST'): Response {
  const error = new RefusedError(405, `${c.req.method} is not answered here; expected ${allowed}`);
  const answer = answerError(c, error);
  answer.headers.set('Allow', allowed === 'GET' ? 'GET, HEAD' : allowed);
  return answer;
}

function refused(c: Context, { status, message }: Refusal): Response {
  return answerError(c, new RefusedError(status, message));
}

/** A sentence for a person who opened an address; a `Fault` for programs. */
function answerError(c: Context, error: unknown): Response {
  const { status, fault } = sentError(error);
  if (c.req.method === 'GET' && c.req.header('sec-fetch-dest') === 'document')
    return c.text(`nemokit studio: ${fault.message}\n`, status);
  return c.json(fault, status);
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const place = issue!.path.length === 0 ? '' : `${issue!.path.join('.')}: `;
  throw new RefusedError(400, `the arguments are not as expected: ${place}${issue!.message}`);
}
