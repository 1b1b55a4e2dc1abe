/** Records of a benchmark (`records.jsonl`), reduced to what is drawn. */
import type { BenchFolder } from '../../protocol/index.js';

interface Written {
  readonly task: string;
  readonly algorithm: string;
  readonly variant: string;
  readonly seed: number;
  readonly result: {
    readonly scores: readonly number[];
    readonly visibleMax: number;
    readonly range: { readonly worst: number; readonly best: number };
    readonly curve: readonly { iteration: number; best?: number; median?: number }[];
  };
}

export function readBench(id: string, text: string): BenchFolder {
  const trials = text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    let record: Written;
    try {
      record = JSON.parse(line);
    } catch {
      return [];
    }
    const { task, algorithm, variant, seed, result } = record;
    if (!result || result.scores.length === 0) return [];
    const sorted = result.scores.toSorted((a, b) => a - b);
    const middle = sorted.length / 2;
    return [
      {
        task,
        algorithm,
        variant,
        seed,
        best: sorted.at(-1)!,
        median: (sorted[Math.floor(middle - 0.5)]! + sorted[Math.ceil(middle - 0.5)]!) / 2,
        visibleMax: result.visibleMax,
        range: result.range,
        curve: result.curve.map(({ iteration, best, median }) => ({
          iteration,
          ...(best !== undefined && { best }),
          ...(median !== undefined && { median }),
        })),
      },
    ];
  });
  if (trials.length === 0) throw new Error(`${id} holds no records of a benchmark; open a records.jsonl`);
  return { id, trials };
}
