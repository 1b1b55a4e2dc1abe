// The server as a function of requests, with a host that only says what it was asked.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/studio/protocol/index.js';
import { Access } from '../../../src/studio/server/access.js';
import { studioApp } from '../../../src/studio/server/app.js';
import { keepBody } from '../../../src/studio/server/bodies.js';
import { RefusedError } from '../../../src/studio/server/refused.js';
import { StaticFiles } from '../../../src/studio/server/staticFiles.js';
import type { StudioHost } from '../../../src/studio/server/studioHost.js';

const folder = mkdtempSync(join(tmpdir(), 'nemokit-app-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const access = new Access(4321, 'T'.repeat(43));
const origin = 'http://127.0.0.1:4321';
const cookie = access.setCookie.split(';')[0]!;
const own = { host: '127.0.0.1:4321', cookie };
const json = { ...own, origin, 'content-type': 'application/json' };
const bytes = { ...own, origin, 'content-type': 'application/octet-stream' };

const asked: unknown[][] = [];
const say =
  (name: string) =>
  async (...args: unknown[]) => {
    asked.push([name, ...args]);
    return { name };
  };
const host = {
  about: say('about'),
  rows: say('rows'),
  state: say('state'),
  deleteRun: async (id: string) => {
    asked.push(['deleteRun', id]);
  },
  openSource: say('openSource'),
  openUpload: async (sent: Request, name: string, sheet?: string) => {
    const path = join(folder, `upload-${Math.random()}`);
    const kept = await keepBody(sent, path, { limit: 1000 });
    asked.push(['openUpload', name, sheet, kept.bytes]);
    return kept;
  },
  runFile: async (id: string, name: string) => {
    asked.push(['runFile', id, name]);
    return new TextEncoder().encode(`<script>alert(1)</script>,${id},${name}`);
  },
  listRuns: async () => {
    throw new TypeError('x is not a function\n    at secret (app.js:1:1)');
  },
  openRun: async () => {
    throw new RefusedError(404, 'there is no run "a" in this folder');
  },
} as unknown as StudioHost;

let app: Hono;
beforeAll(async () => {
  const web = mkdtempSync(join(folder, 'web-'));
  writeFileSync(join(web, 'index.html'), '<!doctype html><p>the studio');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  app = studioApp({ access, files: await StaticFiles.open(web), host });
});

const get = (path: string, headers: Record<string, string> = own) =>
  app.request(`http://127.0.0.1:4321${path}`, { headers });
const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = json) =>
  app.request(`http://127.0.0.1:4321${path}`, { method: 'POST', headers, body: body as string });

describe('who is let in', () => {
  it('the link keeps the token in a cookie, and goes on without it', async () => {
    const answer = await get(`/open?token=${access.token}`, { host: own.host });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toBe(access.setCookie);
    expect(await answer.text()).toContain('content="0; url=/"');
    // in a sandbox the page could not go on by itself
    expect(answer.headers.get('content-security-policy')).not.toContain('sandbox');
  });

  it('the link works from a page of another site, which cannot know the token', async () => {
    const headers = { host: own.host, 'sec-fetch-site': 'cross-site' };
    expect((await get(`/open?token=${access.token}`, headers)).status).toBe(200);
    expect((await get(`/open?token=${access.token}x`, headers)).status).toBe(401);
    expect((await get('/open', headers)).headers.get('set-cookie')).toBeNull();
  });

  it('leads from a report to its run, and says nothing on the way', async () => {
    const report = { host: own.host, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
    const bounced = await get('/run/2026-11-15-yield-7f3a', report);
    expect(bounced.status).toBe(200);
    expect(bounced.headers.get('set-cookie')).toBeNull();
    expect(await bounced.text()).toContain('url=/#/run/2026-11-15-yield-7f3a/candidates"');
    expect(asked).toEqual([]);
    // a name that is no run's becomes no other address and no markup
    const odd = await (await get('/run/%22%3E%3Cscript%3E', report)).text();
    expect(odd).not.toContain('<script>');
    expect(odd).toContain('url=/#/run/%22%3E%3Cscript%3E/candidates"');
    // where it leads, the token is asked for
    expect((await get('/', report)).status).toBe(403);
    expect((await get('/', { host: own.host, 'sec-fetch-site': 'same-origin' })).status).toBe(401);
    expect((await get('/run/a', { ...report, host: 'evil.example' })).status).toBe(421);
    expect((await get('/run/a/b', report)).status).toBe(403);
  });

  it.each([
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example',
    '/"><script>alert(1)</script>',
    '/\r\nSet-Cookie: a=b',
  ])('the link leads nowhere else: %j', async (to) => {
    const answer = await get(`/open?token=${access.token}&to=${encodeURIComponent(to)}`);
    expect(await answer.text()).toContain('content="0; url=/"');
  });

  it.each([
    ['/', { host: own.host }, 401],
    ['/', { ...own, host: 'evil.example:4321' }, 421],
    ['/api/runs/a/files/candidates.csv', { host: own.host }, 401],
    ['/api/runs/a/events', { ...own, host: 'evil.example' }, 421],
    ['/api/runs/a/files/candidates.csv', { ...own, origin: 'http://evil.example' }, 403],
    ['/', { ...own, 'sec-fetch-site': 'cross-site' }, 403],
    [`/open?token=${access.token}`, { host: 'evil.example:4321' }, 421],
  ])('GET %s with %j is answered %i', async (path, headers, status) => {
    const before = asked.length;
    const answer = await get(path, headers);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, null]);
    expect(((await answer.json()) as Fault).message).toMatch(/open the link|another site/);
    expect(asked.length).toBe(before);
  });

  it.each([
    [{ ...json, cookie: '' }, 401],
    [{ ...json, cookie: 'nemokit-4321=wrong' }, 401],
    [{ ...json, host: 'evil.example' }, 421],
    [{ ...json, origin: 'http://evil.example' }, 403],
    [{ ...own, 'content-type': 'application/json' }, 403],
    // a form of another site needs no preflight
    [{ ...own, origin: 'null', 'content-type': 'text/plain' }, 403],
  ])('POST with %j is answered %i, and asks nothing', async (headers, status) => {
    const before = asked.length;
    expect((await post('/api/deleteRun', '["a"]', headers)).status).toBe(status);
    expect(asked.length).toBe(before);
  });

  it('no other site is told that it may ask', async () => {
    const answer = await app.request(`${origin}/api/about`, {
      method: 'OPTIONS',
      headers: { host: own.host, origin: 'http://evil.example', 'access-control-request-method': 'POST' },
    });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });
});

describe('what is answered', () => {
  it('calls, with their arguments', async () => {
    const answer = await post('/api/rows', '["t",0,10]');
    expect([answer.status, await answer.json()]).toEqual([200, { name: 'rows' }]);
    expect(asked.at(-1)).toEqual(['rows', 't', 0, 10]);
    expect(await (await post('/api/deleteRun', '["a"]')).json()).toBeNull();
  });

  it.each([
    ['/api/rows', '["t",0,', 400, 'the body is not JSON'],
    ['/api/rows', '', 400, 'the body is not JSON'],
    ['/api/rows', '["t",0,100000]', 400, /^the arguments are not as expected: 2: /],
    ['/api/rows', '["t",0,1,2]', 400, /^the arguments are not as expected/],
    ['/api/rows', '{"0":"t"}', 400, /^the arguments are not as expected/],
    ['/api/rows', 'null', 400, /^the arguments are not as expected/],
    ['/api/state', '["t",{"goals":[],"__proto__":{"a":1},"extra":1}]', 400, /^the arguments are not/],
    ['/api/nothing', '[]', 404, 'there is nothing at this address'],
    ['/api/constructor', '[]', 404, 'there is nothing at this address'],
    ['/api/__proto__', '[]', 404, 'there is nothing at this address'],
    ['/api/summary', '["a"]', 404, 'there is nothing at this address'],
    ['/api/openRun', '["a"]', 404, 'there is no run "a" in this folder'],
  ])('POST %s %j is answered %i', async (path, body, status, message) => {
    const answer = await post(path, body);
    const fault = (await answer.json()) as Fault;
    expect(answer.status).toBe(status);
    if (typeof message === 'string') expect(fault.message).toBe(message);
    else expect(fault.message).toMatch(message);
  });

  it('a fault of the server without its stack', async () => {
    const answer = await post('/api/listRuns', '[]');
    const { message } = (await answer.json()) as Fault;
    expect([answer.status, message]).toEqual([500, 'this is a bug in nemokit: x is not a function']);
  });

  it('JSON only as JSON', async () => {
    const answer = await post('/api/about', '[]', { ...json, 'content-type': 'text/plain' });
    expect(answer.status).toBe(415);
  });

  it.each([
    ['GET', '/api/about', 'POST'],
    ['PUT', '/api/about', 'POST'],
    ['POST', '/api/runs/a/files/candidates.csv', 'GET, HEAD'],
    ['DELETE', '/api/runs/a/events', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
  ])('%s %s is not allowed', async (method, path, allowed) => {
    const answer = await app.request(`${origin}${path}`, {
      method,
      headers: json,
      ...(method !== 'GET' && { body: '[]' }),
    });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/%2e%2e%2f%2e%2e%2fetc/passwd',
    '//etc/passwd',
    '/index.html%00.txt',
    '/.git/config',
    '/missing.js',
    '/api/runs/a/files/..%2f..%2fsecret.txt',
    '/api/runs/a/files/lock.json',
    '/api/runs/a/files/checkpoint.bin',
    '/api/runs/a/files/manifest.json',
    '/api/runs/a',
    '/api',
  ])('there is nothing at %s', async (path) => {
    const before = asked.length;
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('secret.txt');
    expect(asked.length).toBe(before);
  });
});

describe('uploads', () => {
  it('come with a name and a sheet', async () => {
    const answer = await post('/api/openTable?name=past%20runs.xlsx&sheet=2', new Uint8Array(1000), bytes);
    expect(answer.status).toBe(200);
    expect(asked.at(-1)).toEqual(['openUpload', 'past runs.xlsx', '2', 1000]);
  });

  it.each([
    ['as they say', { 'content-length': '3000000' }],
    ['whatever they say', { 'content-length': '10' }],
    ['where they say nothing', {}],
  ])('over the limit are refused, %s', async (_, more) => {
    const answer = await post('/api/openTable?name=a.csv', new Uint8Array(3_000_000), {
      ...bytes,
      ...(more as Record<string, string>),
    });
    expect(answer.status).toBe(413);
    expect(((await answer.json()) as Fault).message).toMatch(
      /were sent, and at most 0\.0 MB are taken; for larger tables use "nemokit design" in a terminal$/,
    );
  });

  it('of another type are refused', async () => {
    const answer = await post('/api/openTable?name=a.csv', 'a,b', { ...bytes, 'content-type': 'text/csv' });
    expect(answer.status).toBe(415);
  });
});

describe('headers', () => {
  it('let a page do nothing but what it needs', async () => {
    const answer = await get('/');
    expect(await answer.text()).toBe('<!doctype html><p>the studio');
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "worker-src 'self' blob:",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
  });

  it.each(['/api/nothing', '/missing', '/api/about'])('are on errors as well: %s', async (path) => {
    const answer = await get(path);
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    );
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('give files of a run away as what they are, and never as a page of this address', async () => {
    const csv = await get('/api/runs/a/files/candidates.csv');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="candidates.csv"');
    expect(csv.headers.get('content-security-policy')).toContain('sandbox');
    const report = await get('/api/runs/a/files/report.html');
    expect(report.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(report.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*sandbox allow-/);
    expect(report.headers.get('content-security-policy')).not.toMatch(
      /allow-same-origin|script-src[^;]*unsafe/,
    );
  });

  it.each(['a%0d%0aSet-Cookie:%20x=y', 'a%22;x=%22', '%0a', '..%2f..'])(
    'take nothing from a name: %s',
    async (id) => {
      const answer = await get(`/api/runs/${id}/files/candidates.csv`);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="candidates.csv"');
      // the name goes to the host as it was meant, which knows runs alone
      expect(asked.at(-1)).toEqual(['runFile', decodeURIComponent(id), 'candidates.csv']);
    },
  );

  it('say in a sentence what is wrong where a person looks', async () => {
    const answer = await get('/', { host: own.host, 'sec-fetch-dest': 'document' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'text/plain; charset=UTF-8']);
    expect(await answer.text()).toMatch(/^nemokit studio: the token is missing .* printed\n$/);
  });
});

describe('the pages alone', () => {
  it('are served without a token, and without any call', async () => {
    const web = mkdtempSync(join(folder, 'web-'));
    writeFileSync(join(web, 'index.html'), '<!doctype html><p>the page');
    const alone = studioApp({ access, files: await StaticFiles.open(web) });
    const ask = (path: string, init: RequestInit = {}) =>
      alone.request(`${origin}${path}`, { headers: { host: own.host, origin }, ...init });
    expect([(await ask('/')).status, (await ask('/open?token=x')).status]).toEqual([200, 404]);
    expect((await ask('/api/about', { method: 'POST', body: '[]' })).status).toBe(405);
    expect((await alone.request(`${origin}/`, { headers: { host: 'evil.example' } })).status).toBe(421);
  });

  it('are missed with a remedy', async () => {
    await expect(StaticFiles.open(join(folder, 'nowhere'))).rejects.toThrow(/npm run build:web/);
  });
});
