/** Files of the built app. All are listed when the server starts; a request names one of them or none. */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { FileError } from '../../runs/fileError.js';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

export interface StaticFile {
  readonly type: string;
  /** Its name changes with its content, so that browsers may keep it. */
  readonly isLasting: boolean;
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>;
}

export class StaticFiles {
  private constructor(private readonly files: ReadonlyMap<string, StaticFile>) {}

  /**
   * `more`: files that lie elsewhere, by address. `host`: who computes for the pages. Throws `FileError` where `folder`
   * has no index.html.
   */
  static async open(
    folder: string,
    { host = 'page', more = {} }: { host?: 'page' | 'server'; more?: Readonly<Record<string, string>> } = {},
  ): Promise<StaticFiles> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = new Map(
      entries
        .filter((entry) => entry.isFile())
        .map((entry): [string, StaticFile] => {
          const path = join(entry.parentPath, entry.name);
          const address = path.slice(folder.length).replaceAll('\\', '/').replace(/^\/?/, '/');
          return [
            address,
            {
              type: types[extname(entry.name)] ?? 'application/octet-stream',
              isLasting: address.startsWith('/assets/'),
              read: () => contentOf(path, address === '/index.html' && host === 'server'),
            },
          ];
        }),
    );
    for (const [address, path] of Object.entries(more))
      if (!files.has(address))
        files.set(address, {
          type: types[extname(address)] ?? 'application/octet-stream',
          isLasting: false,
          read: () => contentOf(path, false),
        });
    if (files.has('/index.html')) return new StaticFiles(files);
    throw new FileError(
      `${folder} does not hold the pages of the studio; in a clone of nemokit, make them with "npm run build:web"`,
      folder,
    );
  }

  /** The file at an address; "/" is index.html. */
  at(address: string): StaticFile | undefined {
    return this.files.get(address === '/' ? '/index.html' : address);
  }
}

/** The page says who computes for it. */
const ofPage = '<meta name="nemokit-host" content="page"';
const ofServer = '<meta name="nemokit-host" content="server"';

async function contentOf(path: string, isServed: boolean): Promise<Uint8Array<ArrayBuffer>> {
  if (!isServed) return Uint8Array.from(await readFile(path));
  const page = await readFile(path, 'utf8');
  return Uint8Array.from(Buffer.from(page.replace(ofPage, ofServer)));
}
