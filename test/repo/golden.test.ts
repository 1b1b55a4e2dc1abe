// Every golden file has a row in test/golden/README.md, and the script that the row names is there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../golden/', import.meta.url));
const readme = readFileSync(`${folder}README.md`, 'utf8');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
  name.replaceAll('\\', '/'),
);

describe('test/golden/README.md', () => {
  it.each(files.filter((name) => /\.(json|txt|f32)$/.test(name)))('says how %s was made', (name) => {
    expect(readme).toContain(`| \`${name}\` `);
  });

  it('names scripts that are there', () => {
    const scripts = [...readme.matchAll(/test\/golden\/[\w/-]+\.(?:py|mjs)/g)].map(([path]) => path);
    expect(scripts.length).toBeGreaterThan(5);
    for (const path of scripts) expect(existsSync(`${folder}../../${path}`), path).toBe(true);
  });
});
