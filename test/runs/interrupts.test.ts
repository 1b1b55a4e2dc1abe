import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { listenForInterrupts, type SignalSource } from '../../src/runs/interrupts.js';

class Keyboard extends EventEmitter implements SignalSource {
  readonly exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
}

describe('interrupts', () => {
  it('leave no listener behind', () => {
    const source = new Keyboard();
    {
      using interrupts = listenForInterrupts({ source });
      expect(source.eventNames()).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP']);
      expect([interrupts.signal.aborted, interrupts.exitCode]).toEqual([false, undefined]);
    }
    expect(source.eventNames()).toEqual([]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('stop the work at the first %s, and the process at the second', (name, code) => {
    const source = new Keyboard();
    let told = 0;
    using interrupts = listenForInterrupts({ source, onInterrupt: () => told++ });
    source.emit(name, name);
    expect([interrupts.signal.reason, interrupts.exitCode, told, source.exits]).toEqual([name, code, 1, []]);
    source.emit(name, name);
    expect([told, source.exits]).toEqual([1, [code]]);
  });
});
