/** Opens the port of the studio: on this machine alone, with short patience for requests that do not come. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { codeOf, FileError } from '../../runs/fileError.js';
import { Access } from './access.js';
import { studioApp } from './app.js';
import { StaticFiles } from './staticFiles.js';
import { StudioHost, type StudioHostOptions } from './studioHost.js';

export interface ServeOptions {
  /** Folder of the built app. */
  readonly web: string;
  /** 0: any free port. */
  readonly port?: number;
  /** Whether any free port will do where another program uses that one. */
  readonly orAnyPort?: boolean;
  /** Absent where only the pages are served. */
  readonly host?: StudioHostOptions;
  /** Token of this start; default: random. */
  readonly token?: string;
}

export interface Served {
  readonly access: Access;
  /** What people open. */
  readonly link: string;
  readonly host: StudioHost | undefined;
  /** Runs save their states; the port is given back. */
  close(): Promise<void>;
}

/** The one address that is listened on. */
const LOOPBACK = '127.0.0.1';

/** Throws `FileError` or `ArgumentError`. */
export async function serveStudio({
  web,
  port = 0,
  orAnyPort = false,
  host: hostOptions,
  token,
}: ServeOptions): Promise<Served> {
  const files = await StaticFiles.open(web, {
    host: hostOptions ? 'server' : 'page',
    // the solver of constraints, which a page that computes by itself asks for
    more: { '/assets/highs.wasm': fileURLToPath(import.meta.resolve('highs/runtime')) },
  });
  const server = createServer();
  // An upload has minutes, headers have seconds.
  server.headersTimeout = 10_000;
  server.requestTimeout = 600_000;
  server.keepAliveTimeout = 5000;
  server.maxConnections = 500;
  await listen(server, port).catch((error: unknown) => {
    if (!orAnyPort || port === 0) throw error;
    return listen(server, 0);
  });
  const { port: chosen } = server.address() as AddressInfo;
  const access = new Access(chosen, token);
  const host = hostOptions && (await StudioHost.open(hostOptions));
  const { fetch } = studioApp({ access, files, ...(host && { host }) });
  server.on('request', getRequestListener(fetch, { overrideGlobalObjects: false }));
  return {
    access,
    host,
    // Another name is another site for a browser: what the pages keep there by themselves is kept apart.
    link: host ? access.link() : `http://localhost:${chosen}/`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await host?.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      const code = codeOf(error);
      const reason =
        code === 'EADDRINUSE'
          ? 'another program uses it; choose another one, or leave --port out'
          : code === 'EACCES'
            ? 'it may not be opened; choose one above 1023, or leave --port out'
            : error.message;
      reject(new FileError(`port ${port} cannot be opened: ${reason}`, `${LOOPBACK}:${port}`, code));
    };
    server.once('error', fail);
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      server.off('error', fail);
      resolve();
    });
  });
}
