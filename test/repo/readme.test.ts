import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(`${root}README.md`, 'utf8');
const code = readme.match(/```ts\n([\s\S]*?)```/)?.[1] ?? '';

describe('the quickstart of the README', () => {
  it('has fifteen lines at most', () => {
    const lines = code.trim().split('\n').length;
    expect(lines).toBeGreaterThan(5);
    expect(lines).toBeLessThanOrEqual(15);
  });
});
