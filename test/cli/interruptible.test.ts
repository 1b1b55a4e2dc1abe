import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../src/cli/failure.js';
import { interruptible, type SignalSource } from '../../src/cli/interruptible.js';

class Keyboard extends EventEmitter implements SignalSource {
  readonly exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('work that Ctrl-C can stop', () => {
  it('ends by itself if nobody stops it, and leaves no listener', async () => {
    const source = new Keyboard();
    expect(await interruptible(async () => 7, { source })).toEqual({ value: 7, wasInterrupted: false });
    expect(source.listenerCount('SIGINT') + source.listenerCount('SIGTERM')).toBe(0);
  });

  it('is told at the first Ctrl-C and may save what it has', async () => {
    const source = new Keyboard();
    let told = 0;
    const work = interruptible(
      async (signal) => {
        await aborted(signal);
        return 'saved';
      },
      { source, onInterrupt: () => told++ },
    );
    source.emit('SIGINT');
    expect(await work).toEqual({ value: 'saved', wasInterrupted: true });
    expect([told, source.exits]).toEqual([1, []]);
  });

  it('ends at once at the second', async () => {
    const source = new Keyboard();
    let release = () => {};
    const work = interruptible(() => new Promise<void>((resolve) => (release = resolve)), { source });
    source.emit('SIGINT');
    source.emit('SIGINT');
    expect(source.exits).toEqual([130]);
    release();
    await work;
  });

  it('turns the abort that comes out into an interruption, and nothing else', async () => {
    const source = new Keyboard();
    const stopped = interruptible(
      async (signal) => {
        await aborted(signal);
        signal.throwIfAborted();
      },
      { source },
    );
    source.emit('SIGINT');
    await expect(stopped).rejects.toBeInstanceOf(InterruptedError);
    const engine = interruptible(
      async (signal) => {
        await aborted(signal);
        throw Object.assign(new Error('stopped'), { reason: 'aborted' });
      },
      { source },
    );
    source.emit('SIGTERM');
    await expect(engine).rejects.toBeInstanceOf(InterruptedError);
    const broken = interruptible(
      async (signal) => {
        await aborted(signal);
        throw new TypeError('a real fault');
      },
      { source },
    );
    source.emit('SIGINT');
    await expect(broken).rejects.toBeInstanceOf(TypeError);
  });
});
