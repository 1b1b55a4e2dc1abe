// Files and folders that somebody else owns: what may not be read or written is named, with what to do.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nemokit-permissions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;
/** Rights do not count for root: as root, commands run as a user who owns nothing. */
const somebody = isRoot ? { uid: 65_534, gid: 65_534 } : {};

const rows = Array.from({ length: 30 }, (_, i) => `${i % 7},${(i * 3) % 11},${(i % 5) + (i % 3)}`);
writeFileSync(join(folder, 'past.csv'), `a,b,yield\n${rows.join('\n')}\n`);
copyFileSync(join(folder, 'past.csv'), join(folder, 'secret.csv'));
writeFileSync(join(folder, 'secret.yaml'), 'version: 1\ndata: past.csv\ngoals: [max yield]\n');
writeFileSync(join(folder, 'about.yaml'), 'version: 1\ndata: secret.csv\ngoals: [max yield]\n');
mkdirSync(join(folder, 'closed'));
mkdirSync(join(folder, 'readOnly'));
symlinkSync('circle', join(folder, 'circle'));
chmodSync(folder, 0o755);
for (const name of ['secret.csv', 'secret.yaml', 'closed']) chmodSync(join(folder, name), 0);
chmodSync(join(folder, 'readOnly'), 0o555);

function nemokit(args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    ...somebody,
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: join(folder, 'closed'),
      NEMOKIT_DATA: join(folder, 'readOnly/data'),
    },
  });
  return { status, stdout, stderr };
}

/** Whether the other user can start the command at all: the checkout may lie in a folder that is closed to all others. */
const canStart = nemokit(['--version']).status === 0;

const noReading = 'you may not read the file; change its permissions, or copy it to a folder of yours';
const goal = ['--goal', 'max yield'];

describe.skipIf(process.platform === 'win32' || !canStart)(
  `what may not be opened${canStart ? '' : ' (not tested: another user cannot start the command here)'}`,
  () => {
    it.each([
      [['check', 'secret.csv'], `secret.csv: ${noReading}`],
      [['check', 'past.csv', '--add', 'secret.csv', ...goal], `secret.csv: ${noReading}`],
      [['check', 'closed/past.csv'], `closed/past.csv: ${noReading}`],
      [
        ['check', 'about.yaml'],
        `secret.csv: ${noReading}; "data" of about.yaml names it, relative to that file`,
      ],
      [
        ['check', 'secret.yaml'],
        'secret.yaml: you have no access to it; change its permissions, or choose another place',
      ],
      [['check', 'circle'], 'circle: symbolic links lead in a circle; check the path'],
      [
        ['design', 'past.csv', ...goal, '--out', 'readOnly/run'],
        'readOnly/run cannot be written: access is denied; change its permissions, or choose another folder',
      ],
      [
        ['init', 'past.csv', ...goal, '--output', 'readOnly/p.yaml'],
        'readOnly/p.yaml: you have no access to it; change its permissions, or choose another place',
      ],
      [
        ['runs', 'list', 'closed'],
        'closed cannot be read: access is denied; change its permissions, or choose another folder',
      ],
      [
        ['score', 'closed', 'past.csv'],
        'closed/manifest.json cannot be read: access is denied; change its permissions, or choose another folder',
      ],
      [
        ['bench', 'table', 'closed'],
        'closed/records.jsonl cannot be read: access is denied; change its permissions, or choose another folder',
      ],
      [
        [
          'bench',
          'run',
          '--task',
          'branin-v1',
          '--algorithm',
          'forward',
          '--seeds',
          '0',
          '--out',
          'readOnly/r',
        ],
        'readOnly/r cannot be written: access is denied; change its permissions, or choose another folder',
      ],
    ])('%j', (args, message) => {
      expect(nemokit(args)).toEqual({ status: 2, stdout: '', stderr: `nemokit: ${message}\n` });
    });
  },
);
