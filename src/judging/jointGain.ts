/**
 * A batch by its joint gain: one design after the other, each the one that adds most to the expected best of the batch, by
 * draws of what all designs may score together. Designs that stand or fall together add little to each other, however
 * far apart they lie.
 */

/** Scores that designs may have together: one row a draw, and the column of each design. */
export interface JointDraws {
  readonly draws: readonly Float64Array[];
  readonly columnOf: ReadonlyMap<number, number>;
}

/** Numbers of up to `count` designs out of `candidates` that join `taken`, in the order in which they are chosen. */
export function chooseJointly(
  candidates: readonly number[],
  taken: readonly number[],
  { draws, columnOf }: JointDraws,
  count: number,
  allows: (chosen: readonly number[], design: number) => boolean,
): number[] {
  const best = new Float64Array(draws.length).fill(Number.NEGATIVE_INFINITY);
  const add = (design: number) => {
    const column = columnOf.get(design);
    if (column !== undefined)
      draws.forEach((draw, s) => {
        best[s] = Math.max(best[s]!, draw[column]!);
      });
  };
  for (const design of taken) add(design);
  const chosen: number[] = [];
  const left = new Set(candidates.filter((design) => columnOf.has(design)));
  while (chosen.length < count && left.size > 0) {
    let next = -1;
    let most = Number.NEGATIVE_INFINITY;
    for (const design of left) {
      const column = columnOf.get(design)!;
      let sum = 0;
      for (let s = 0; s < draws.length; s++) sum += Math.max(best[s]!, draws[s]![column]!);
      if (sum > most) [next, most] = [design, sum];
    }
    left.delete(next);
    if (!allows([...taken, ...chosen], next)) continue;
    chosen.push(next);
    add(next);
  }
  return chosen;
}
