import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { datasets } from '../../src/tasks/datasets.js';
import { isThereOrSaysWhy, realFolder } from '../tasks/sources.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function data(folder: string, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [main, 'data', ...args], {
    env: { ...process.env, NO_COLOR: '1', NEMOKIT_DATA: folder },
    timeout: 300_000,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, stdout, stderr })));
}

const empty = () => mkdtempSync(join(tmpdir(), 'nemokit-data-'));
const file = 'tfbind8_SIX6_REF_R1.csv.gz';

describe('nemokit data', () => {
  it('lists every dataset, and says where they would be', async () => {
    const folder = empty();
    expect(await data(folder, 'path')).toEqual({ status: 0, stdout: `${folder}\n`, stderr: '' });
    const { status, stdout } = await data(folder, 'list', '--json');
    const report = JSON.parse(stdout);
    expect([status, report.folder]).toEqual([0, folder]);
    expect(report.datasets.map(({ id }: { id: string }) => id)).toEqual(datasets.map(({ id }) => id));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says which files are missing or wrong, with exit code 2', async () => {
    const folder = empty();
    expect((await data(folder, 'verify', 'tfbind8')).status).toBe(2);
    const { stdout } = await data(folder, 'verify', '--json');
    const [tfbind8] = JSON.parse(stdout).files.filter(
      ({ dataset }: { dataset: string }) => dataset === 'tfbind8',
    );
    expect(tfbind8).toMatchObject({ state: 'missing', file, path: join(folder, 'tfbind8', file) });
  });

  it('says by hand what it could not get, and keeps nothing of it', async () => {
    const folder = empty();
    const { status, stdout, stderr } = await data(folder, 'get', 'tfbind8', '--quiet');
    expect([status, stdout]).toEqual([2, '']);
    const words = stderr.replaceAll(/\s+/g, ' ');
    expect(words).toContain('1 file could not be fetched:');
    expect(words).toContain(`Put it at ${join(folder, 'tfbind8', file)}`);
    expect(words).toContain('nemokit data get tfbind8 --from <place>');
    const other = empty();
    const mirror = await data(other, 'get', 'tfbind8', '--quiet', '--from', other);
    expect(mirror.status).toBe(2);
    expect(readdirSync(other)).toEqual([]);
  });

  it('knows its datasets', async () => {
    const { status, stderr } = await data(empty(), 'get', 'tfbind9');
    expect(status).toBe(2);
    expect(stderr).toContain('tfbind8');
  });
});

describe.skipIf(!isThereOrSaysWhy('tfbind8', 'getting a real dataset'))('nemokit data get', () => {
  it('copies from a folder, downloads from a server, and finds both right', async () => {
    const bytes = readFileSync(join(realFolder, 'tfbind8', file));
    const server = createServer((request, response) => {
      if (request.url === `/data/tfbind8/${file}`) response.end(bytes);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/data/`;
    try {
      for (const place of [realFolder, address]) {
        const folder = empty();
        const got = await data(folder, 'get', 'tfbind8', '--from', place);
        expect(got.status, got.stderr).toBe(0);
        expect(got.stderr).toContain(`got ${join(folder, 'tfbind8', file)}`);
        expect(readdirSync(join(folder, 'tfbind8'))).toEqual([file]);
        expect(await data(folder, 'verify', 'tfbind8')).toEqual({
          status: 0,
          stdout: `right   tfbind8/${file}\n`,
          stderr: '',
        });
        const again = await data(folder, 'get', 'tfbind8', '--from', '/nowhere');
        expect([again.status, again.stderr]).toEqual([0, '1 file already there, checksums right\n']);
        writeFileSync(join(folder, 'tfbind8', file), 'other');
        const wrong = await data(folder, 'verify');
        expect(wrong.status).toBe(2);
        expect(wrong.stdout).toContain(
          'is not the file it should be; remove it, then: nemokit data get tfbind8',
        );
      }
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
