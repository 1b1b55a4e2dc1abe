import {
  attend,
  begin,
  CONTROL_WORDS,
  isFinished,
  type Kernels,
  LEFT,
  share,
} from '../../../src/numeric/threads/share.js';
import type { Actor, Check, Hands } from './interleavings.js';

/** The protocol as a caller and a worker see it. */
export interface Protocol {
  begin(control: Int32Array, work: { program: number; length: number; models: number; groups: number }): void;
  share(kernels: Kernels, control: Int32Array, thread: number): void;
  attend(kernels: Kernels, control: Int32Array, thread: number, seen: number, onLast: () => void): number;
}

/**
 * Runs of the given numbers of groups on some threads. Run r has program 100 + r, 10 + r instructions and twice as many
 * models as groups, so that a thread that mixes words of two runs computes something else, which is a fault.
 */
export function runsOf(groups: readonly number[], threads: number, protocol: Protocol): Check {
  const kernelsOf = (hands: Hands): Kernels => ({
    run(program, length, first, last, group) {
      const what = `${program} ${length} ${first}-${last} ${group}`;
      hands.mark(`begin ${what}`);
      hands.mark(`end ${what}`);
    },
  });
  const caller: Actor = (hands, run) => {
    const { control } = hands;
    const count = groups[run];
    if (count === undefined) return null;
    protocol.begin(control, { program: 100 + run, length: 10 + run, models: 2 * count, groups: count });
    protocol.share(kernelsOf(hands), control, 0);
    // one look stands for any number of them: a thread that looks again sees what it would have seen later
    while (!isFinished(control)) hands.receive();
    hands.mark(`over ${run}`);
    return run + 1;
  };
  const worker =
    (thread: number): Actor =>
    (hands, seen) =>
      protocol.attend(kernelsOf(hands), hands.control, thread, seen, () => hands.post());
  const due = (run: number) =>
    Array.from(
      { length: groups[run]! },
      (_, group) => `${100 + run} ${10 + run} ${2 * group}-${2 * group + 2} ${group}`,
    );
  const all = new Set(groups.flatMap((_, run) => due(run)));
  return {
    words: CONTROL_WORDS,
    ...(protocol === ours && { loopAt: LEFT }),
    actors: [caller, ...Array.from({ length: threads - 1 }, (_, i) => worker(i + 1))],
    onMark(known, mark) {
      const [verb, ...rest] = mark.split(' ');
      const what = rest.join(' ');
      if (verb === 'over') {
        const missing = due(Number(what)).find((group) => !known.includes(`end ${group}`));
        return missing ? `run ${what} is over before ${missing} is computed` : null;
      }
      if (!all.has(what)) return `computed ${what}, which is in no run`;
      if (known.includes(mark)) return `computed ${what} twice`;
      return known.includes(`over ${Number(rest[0]) - 100}`) ? `computed ${what} after its run` : null;
    },
    onEnd: (known) => {
      const missing = [...all].find((what) => !known.includes(`end ${what}`));
      return missing ? `never computed ${missing}` : null;
    },
  };
}

/** The protocol of `share.js`. */
export const ours: Protocol = { begin, share, attend };
