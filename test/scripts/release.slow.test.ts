import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/release.mjs', import.meta.url));

const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_SYSTEM: devNull,
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  npm_execpath: '',
};

class Repository {
  readonly folder = mkdtempSync(join(tmpdir(), 'nemokit-release-'));

  constructor(more: Readonly<Record<string, string>> = {}) {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    mkdirSync(join(this.folder, 'src'));
    const manifest = {
      name: 'nemokit',
      version: '0.1.0',
      scripts: { build: 'node build.mjs' },
      files: ['dist'],
    };
    const files = {
      'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
      'package-lock.json': `${JSON.stringify({ name: 'nemokit', version: '0.1.0', packages: { '': { name: 'nemokit', version: '0.1.0' }, 'node_modules/a': { version: '0.1.0' } } }, null, 2)}\n`,
      'src/version.ts': "export const version = '0.1.0';\n",
      'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- new\n\n## 0.1.0\n\n- old\n',
      'CITATION.cff': 'cff-version: 1.2.0\nversion: 0.1.0\ndate-released: 2026-01-01\n',
      'build.mjs':
        "import { mkdirSync, writeFileSync } from 'node:fs';\nmkdirSync('dist', { recursive: true });\nwriteFileSync('dist/index.js', '');\n",
      '.gitignore': 'dist\nbuild\n',
      ...more,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.folder, name), text);
    this.git('init', '--quiet', '--initial-branch=main');
    this.git('add', '.');
    this.git('commit', '--quiet', '-m', 'First');
  }

  git(...command: string[]): string {
    return execFileSync('git', command, { cwd: this.folder, encoding: 'utf8', env }).trim();
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  release(...args: string[]) {
    return spawnSync(process.execPath, [script, ...args], { cwd: this.folder, encoding: 'utf8', env });
  }

  /** Ends with a reason, and leaves everything as it was. */
  refuses(args: string[], reason: string): void {
    const before = [this.git('log', '--oneline'), this.git('tag'), this.git('status', '--porcelain')];
    const { status, stderr } = this.release(...args);
    expect(stderr).toContain(`release: ${reason}`);
    expect(status).toBe(1);
    expect([this.git('log', '--oneline'), this.git('tag'), this.git('status', '--porcelain')]).toEqual(
      before,
    );
  }
}

describe('npm run release', () => {
  it('sets the version everywhere, packs, commits and tags', () => {
    const repository = new Repository();
    const { status, stdout, stderr } = repository.release('0.2.0');
    expect(status, stderr).toBe(0);
    const day = new Date().toISOString().slice(0, 10);
    expect(repository.read('CHANGELOG.md')).toBe(
      `# Changelog\n\n## 0.2.0 (${day})\n\n- new\n\n## 0.1.0\n\n- old\n`,
    );
    expect(JSON.parse(repository.read('package.json')).version).toBe('0.2.0');
    const lock = JSON.parse(repository.read('package-lock.json'));
    expect([lock.version, lock.packages[''].version, lock.packages['node_modules/a'].version]).toEqual([
      '0.2.0',
      '0.2.0',
      '0.1.0',
    ]);
    expect(repository.read('src/version.ts')).toBe("export const version = '0.2.0';\n");
    expect(repository.read('CITATION.cff')).toBe(
      `cff-version: 1.2.0\nversion: 0.2.0\ndate-released: ${day}\n`,
    );
    expect(existsSync(join(repository.folder, 'build', 'release', 'nemokit-0.2.0.tgz'))).toBe(true);
    expect(repository.git('log', '-1', '--format=%s')).toBe('Release 0.2.0');
    expect(repository.git('describe', '--exact-match')).toBe('v0.2.0');
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(stdout).toContain('git push origin main v0.2.0\n');
    expect(stdout).toMatch(/npm publish build.release.nemokit-0\.2\.0\.tgz\n/);
  });

  it('only says what it would do with --dry-run', () => {
    const repository = new Repository();
    const { status, stdout } = repository.release('0.2.0', '--dry-run');
    expect(status).toBe(0);
    expect(stdout).toContain('Would release 0.2.0, after 0.1.0: CHANGELOG.md, package.json,');
    expect([repository.git('status', '--porcelain'), repository.git('tag')]).toEqual(['', '']);
  });

  it('refuses what is no version, or not a higher one', () => {
    const repository = new Repository();
    for (const args of [[], ['v0.2.0'], ['0.2'], ['0.2.0', 'now']]) repository.refuses(args, 'usage:');
    for (const version of ['0.1.0', '0.0.9'])
      repository.refuses([version], `${version} is not higher than 0.1.0`);
  });

  it('refuses changes, another branch and a tag that exists', () => {
    const repository = new Repository();
    repository.git('tag', 'v0.2.0');
    repository.refuses(['0.2.0'], 'the tag v0.2.0 exists already');
    appendFileSync(join(repository.folder, 'build.mjs'), '\n');
    repository.refuses(['0.3.0'], 'the working tree has changes');
    repository.git('checkout', '--quiet', '--', '.');
    repository.git('checkout', '--quiet', '-b', 'other');
    repository.refuses(['0.3.0'], 'releases are made on main; this is other');
  });

  it.each([
    ['no section', '# Changelog\n\n## 0.1.0\n\n- old\n', 'CHANGELOG.md has no section "## Unreleased"'],
    [
      'an empty one',
      '# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n- old\n',
      'the section "## Unreleased" of CHANGELOG.md is empty',
    ],
  ])('refuses a changelog with %s', (_, text, reason) => {
    new Repository({ 'CHANGELOG.md': text }).refuses(['0.2.0'], reason);
  });

  it('puts everything back where the build fails', () => {
    new Repository({ 'build.mjs': 'process.exit(1);\n' }).refuses(
      ['0.2.0'],
      'the build or the package failed',
    );
  });
});
