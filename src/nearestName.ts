/** Levenshtein distance: the fewest insertions, deletions and replacements that turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[j]! + 1, current[j - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}

/** The name that was probably meant, or undefined if none is near; case, spaces and punctuation count little. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[\s_\-.]+/g, '');
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) > 1 + name.length) continue;
    const distance = editDistance(plain(name), plain(candidate)) + 0.01 * editDistance(name, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return bestDistance < 1 + plain(name).length / 3 ? best : undefined;
}
