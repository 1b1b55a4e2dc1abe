// A Chromium and a server of the repository, for tests that run the built package in a page.
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { executable } from './chromium.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.html': 'text/html',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** The import map of docs/tables.md, with this repository's folders. */
const imports = {
  '#platform': '/dist/numeric/platform/web.js',
  fflate: '/node_modules/fflate/esm/browser.js',
  fzstd: '/node_modules/fzstd/esm/index.mjs',
  highs: '/node_modules/highs/build/highs.mjs',
  hyparquet: '/node_modules/hyparquet/src/index.js',
  'hyparquet/src/': '/node_modules/hyparquet/src/',
  'hyparquet-compressors': '/node_modules/hyparquet-compressors/src/index.js',
  hysnappy: '/node_modules/hysnappy/js/index.js',
  papaparse: '/module/node_modules/papaparse/papaparse.js',
  'read-excel-file/universal': '/node_modules/read-excel-file/universal/index.js',
  saxen: '/node_modules/saxen/dist/index.js',
  yaml: '/node_modules/yaml/browser/index.js',
  zod: '/node_modules/zod/index.js',
};
const page = `<!doctype html><title>nemokit</title>
<script type="importmap">${JSON.stringify({ imports })}</script>`;

export interface ServeOptions {
  /** A folder with an index.html, instead of the repository. */
  readonly folder?: string;
  /** Isolated pages may share memory between threads. */
  readonly isolated?: boolean;
  /** A content security policy. */
  readonly policy?: string;
  /** Paths that are answered from another path; null for "not found". */
  readonly moved?: Readonly<Record<string, string | null>>;
  /** Is told every path that is asked for. */
  readonly asked?: (path: string) => void;
}

/** Serves the repository, or a folder. `/module/...` is a CommonJS file as a module, as bundlers and CDNs give it. */
export function serve({
  folder,
  isolated = false,
  policy,
  moved = {},
  asked,
}: ServeOptions = {}): Promise<Server> {
  const base = folder ?? root;
  const server = createServer((request, response) => {
    const wanted = new URL(request.url ?? '/', 'http://localhost').pathname;
    asked?.(wanted);
    const isWrapped = wanted.startsWith('/module/');
    const path = Object.hasOwn(moved, wanted) ? moved[wanted]! : wanted.replace(/^\/module\//, '/');
    const file = join(base, path === '/' ? 'index.html' : (path ?? ''));
    if (isolated) {
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    }
    if (policy) response.setHeader('Content-Security-Policy', policy);
    // browsers ask for it by themselves
    if (path === '/favicon.ico') response.writeHead(204).end();
    else if (path === '/' && !folder) response.setHeader('Content-Type', 'text/html').end(page);
    else if (path !== null && file.startsWith(base) && existsSync(file)) {
      response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream');
      const bytes = readFileSync(file);
      if (!isWrapped) response.end(bytes);
      else
        response.end(
          `const module = { exports: {} }; const exports = module.exports;\n${bytes}\nexport default module.exports;`,
        );
    } else response.writeHead(404).end();
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

export const address = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: executable!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
    ],
  });
