import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advancePace,
  estimateRemaining,
  Progress,
  renderProgress,
  startPace,
} from '../../src/cli/progress.js';
import { textWidth } from '../../src/cli/textLayout.js';

describe('the time that is left', () => {
  /** Reports once a second, `speed` of all work each. */
  const walk = (speed: (second: number) => number, seconds: number) => {
    let pace = startPace(0);
    for (let second = 1; second <= seconds; second++)
      pace = advancePace(pace, second, pace.done + speed(second));
    return pace;
  };

  it('is unknown at first, then exact at a constant speed', () => {
    expect(estimateRemaining(startPace(0), 0)).toBeUndefined();
    expect(
      estimateRemaining(
        walk(() => 0.01, 1),
        1,
      ),
    ).toBeUndefined();
    expect(
      estimateRemaining(
        walk(() => 0.01, 10),
        10,
      ),
    ).toBeCloseTo(90, 8);
    expect(
      estimateRemaining(
        walk(() => 0.01, 99),
        99,
      ),
    ).toBeCloseTo(1, 8);
    expect(
      estimateRemaining(
        walk(() => 0.01, 100),
        100,
      ),
    ).toBeCloseTo(0, 8);
  });

  it('follows a change of speed within a minute', () => {
    // 20 s at 1 %/s, then 80 s at 0.2 %/s: 64 % is left, 320 s at this speed; of the old one e^-4 = 2 % is left
    const pace = walk((second) => (second <= 20 ? 0.01 : 0.002), 100);
    const remaining = estimateRemaining(pace, 100)!;
    expect(remaining).toBeGreaterThan(290);
    expect(remaining).toBeLessThan(320);
  });

  it('grows while nothing is reported', () => {
    const pace = walk(() => 0.01, 10);
    expect(estimateRemaining(pace, 40)!).toBeGreaterThan(estimateRemaining(pace, 20)!);
  });
});

describe('the line', () => {
  it('has stage, bar, percent and time', () => {
    expect(renderProgress({ stage: 'search', done: 0.74, remaining: 48 }, 60)).toBe(
      `search  ${'█'.repeat(18)}${'░'.repeat(6)}  74 %  0:48 left`,
    );
    expect(renderProgress({ stage: 'fit', done: 0, remaining: undefined }, 30)).toBe(
      `fit  ${'░'.repeat(6)}   0 %  estimating`,
    );
    expect(renderProgress({ stage: 'search', done: 1, remaining: 3725 }, 18)).toBe('search 100 %');
    expect(renderProgress({ stage: 'search', done: 0.999, remaining: 1 }, 8)).toBe('99 %');
  });

  it('never fills or wraps a line', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.double({ min: -0.5, max: 1.5, noNaN: true }),
        fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }),
        fc.integer({ min: 1, max: 200 }),
        fc.string(),
        (stage, done, remaining, width, note) => {
          expect(textWidth(renderProgress({ stage, done, remaining, note }, width))).toBeLessThan(width);
        },
      ),
    );
  });
});

describe('progress on a stream', () => {
  function stream(isTTY: boolean) {
    const written: string[] = [];
    return { isTTY, columns: 60, written, write: (text: string) => written.push(text) };
  }

  it('is a line for every 10 % where there is no terminal', () => {
    const to = stream(false);
    let time = 0;
    const progress = new Progress({ stream: to, now: () => time });
    for (const second of Array.from({ length: 100 }, (_, i) => i + 1)) {
      time = second;
      progress.update('search', second / 100);
    }
    progress.finish();
    expect(to.written).toHaveLength(10);
    expect(to.written[0]).toMatch(/^search: 10 %, 1:\d\d left\n$/);
    expect(to.written[4]).toMatch(/^search: 50 %, 0:5\d left\n$/);
    expect(to.written.at(-1)).toBe('search: 100 %, done\n');
  });

  it('hides the cursor while it draws, and gives it back also after an error', () => {
    const to = stream(true);
    const listeners = process.listenerCount('exit');
    expect(() => {
      using progress = new Progress({ stream: to, now: () => 0 });
      progress.update('fit', 0.5);
      throw new Error('broken');
    }).toThrow('broken');
    expect(to.written[0]).toBe('\u001b[?25l');
    expect(to.written.at(-1)).toBe('\u001b[?25h');
    expect(process.listenerCount('exit')).toBe(listeners);
  });

  it('draws ten times a second, and at once where a stage begins', () => {
    const to = stream(true);
    let time = 0;
    const progress = new Progress({ stream: to, now: () => time });
    for (let i = 0; i < 100; i++) {
      time = i / 100;
      progress.update('fit', i / 100);
    }
    const drawn = to.written.length;
    expect(drawn).toBeGreaterThanOrEqual(10);
    expect(drawn).toBeLessThanOrEqual(12);
    progress.update('search', 0);
    expect(to.written).toHaveLength(drawn + 1);
    progress.finish();
  });

  /** What a terminal shows after this was written to it. */
  function screen(written: readonly string[]): string[] {
    const lines = [''];
    let [row, column] = [0, 0];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is moved by control characters
    for (const [token] of written.join('').matchAll(/\u001b\[\??\d*[A-Za-z]|[\s\S]/g)) {
      const isUp = token.startsWith('\u001b[') && token.endsWith('A');
      if (token === '\n') [row, column] = [row + 1, 0];
      else if (token === '\r') column = 0;
      else if (isUp) row -= Number(token.slice(2, -1));
      else if (token === '\u001b[J') lines.splice(row, lines.length, lines[row]!.slice(0, column));
      else if (token === '\u001b[2K') lines[row] = '';
      else if (!token.startsWith('\u001b')) {
        lines[row] = lines[row]!.slice(0, column) + token + lines[row]!.slice(column + 1);
        column++;
      }
      lines[row] ??= '';
    }
    return lines;
  }

  it('has lines below on a terminal, as far as the window goes, and takes all of them away', () => {
    const to = { ...stream(true), rows: 6 };
    let time = 0;
    const progress = new Progress({ stream: to, now: () => time++ });
    const below = (n: number) => ({ remaining: 5, below: Array.from({ length: n }, (_, i) => `  node${i}`) });
    progress.update('1 of 9', 0.1, undefined, below(3));
    expect(screen(to.written)).toEqual([
      expect.stringMatching(/^1 of 9 .* 10 % {2}0:05 left$/),
      ...['  node0', '  node1', '  node2'],
    ]);
    progress.update('2 of 9', 0.2, undefined, below(9));
    expect(screen(to.written).slice(1)).toEqual(['  node0', '  node1', '  node2', '  and 6 more']);
    progress.say('said');
    progress.update('3 of 9', 0.3, undefined, below(1));
    expect(screen(to.written)).toEqual(['said', expect.stringMatching(/^3 of 9 /), '  node0']);
    progress.update('4 of 9', 0.4, 'x', { below: ['y'.repeat(200)] });
    expect(screen(to.written)[2]).toBe(`${'y'.repeat(58)}…`);
    to.rows = 0;
    progress.update('5 of 9', 0.5, undefined, below(2));
    expect(screen(to.written).slice(2)).toEqual(['  node0', '  node1']);
    progress.finish();
    expect(screen(to.written)).toEqual(['said', '']);
  });

  it('is silent if told so, and beside JSON without a terminal', () => {
    for (const options of [{ quiet: true }, { json: true }]) {
      const to = stream(false);
      const progress = new Progress({ stream: to, ...options });
      progress.update('search', 1);
      progress.say('hello');
      progress.finish();
      expect(to.written).toEqual([]);
    }
    const terminal = stream(true);
    const progress = new Progress({ stream: terminal, json: true });
    progress.update('search', 1);
    progress.finish();
    expect(terminal.written.length).toBeGreaterThan(0);
  });
});
