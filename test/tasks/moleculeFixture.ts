// Made-up chains of atoms with a made-up activity, fingerprints that need no RDKit, and a source that keeps things.
import { rootKey, Stream } from '../../src/numeric/index.js';
import type { DataSource } from '../../src/tasks/task.js';

const count = (text: string, letter: string) => text.split(letter).length - 1;

/** `n` chains of 4 to 11 atoms that all differ, with 4 + half of the nitrogens + a fifth of the oxygens + a little. */
export function chainsCsv(n: number): string {
  const stream = new Stream(rootKey(12));
  const seen = new Set<string>();
  while (seen.size < n) {
    const atoms = Array.from({ length: 4 + stream.integer(8) }, () => 'CCCNO'[stream.integer(5)]!);
    seen.add(atoms.join(''));
  }
  const lines = [...seen].map((chain) => {
    const y = 4 + count(chain, 'N') / 2 + count(chain, 'O') / 5 + 0.05 * stream.uniform();
    return `${chain},${y}`;
  });
  return ['smiles,y', ...lines, ''].join('\n');
}

/** A bit for each run of one to three letters: 5 letters to the power of the place. Null for letters of no chain. */
export function chainPrint(bits: number): (smiles: string) => Uint8Array | null {
  return (smiles) => {
    if (!/^[CNO]+$/.test(smiles)) return null;
    const print = new Uint8Array(bits);
    for (let from = 0; from < smiles.length; from++) {
      let code = 0;
      for (const letter of smiles.slice(from, from + 3)) {
        code = 5 * code + 1 + 'CNO'.indexOf(letter);
        print[code % bits] = 1;
      }
    }
    return print;
  };
}

export interface KeepingSource extends DataSource {
  readonly kept: Map<string, Uint8Array>;
}

export function chainSource(csv: string): KeepingSource {
  const kept = new Map<string, Uint8Array>();
  return {
    kept,
    read: async () => new TextEncoder().encode(csv),
    async cached(name, make) {
      const bytes = kept.get(name) ?? (await make(() => {}));
      kept.set(name, bytes);
      return bytes;
    },
    fingerprints: async ({ bits }) => chainPrint(bits),
  };
}
