import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rootKey, Stream } from '../../src/numeric/index.js';
import { called } from '../cli/called.js';
import { CraftedRuns, expectNoSlip } from './craftedRun.js';

const runs = new CraftedRuns();
beforeAll(() => runs.build());
afterAll(() => runs.remove());

const FLIPS = 500;

it('500 changed bytes over all files of a run: each command refuses, or answers as before', async () => {
  const path = runs.copy();
  for (const name of readdirSync(runs.folder))
    if (name === 'whole') rmSync(join(runs.folder, name), { recursive: true });
  const commands = [...runs.commands(path), ['runs', 'list', runs.folder]];
  const names = readdirSync(path).toSorted();
  const contents = new Map(names.map((name) => [name, readFileSync(join(path, name))]));
  const before: string[] = [];
  for (const args of commands) before.push((await called(...args)).stdout);
  const stream = new Stream(rootKey(500));
  let refused = 0;
  for (let flip = 0; flip < FLIPS; flip++) {
    // files that are read most often come up as often as the large ones
    const name = names[stream.integer(names.length)]!;
    const bytes = Buffer.from(contents.get(name)!);
    const at = stream.integer(bytes.length);
    bytes[at] = bytes[at]! ^ (1 + stream.integer(255));
    writeFileSync(join(path, name), bytes);
    // two of the five compute for a while
    const which = flip % 12 < 2 ? 2 + (flip % 12) : [0, 1, 4][flip % 3]!;
    const what = `${commands[which]!.join(' ')}, byte ${at} of ${name}`;
    const answer = await called(...commands[which]!);
    writeFileSync(join(path, name), contents.get(name)!);
    expectNoSlip(answer, what);
    const isList = commands[which]![1] === 'list';
    if (answer.code === 0 || answer.code === 3) {
      // a list names the run that is odd, and goes on
      if (isList && answer.stdout.includes('manifest.json')) refused++;
      else expect(answer.stdout, what).toBe(before[which]);
    } else {
      expect(answer.code, what).toBe(2);
      refused++;
    }
  }
  // those that hit what a command reads
  expect(refused).toBeGreaterThan(FLIPS / 5);
});
