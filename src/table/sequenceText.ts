export interface SequenceLook {
  readonly kind: 'DNA' | 'RNA' | 'protein' | 'sequence';
  readonly length: number;
  /** Letters in use, sorted. */
  readonly alphabet: string;
}

/** Levels needed before texts of one length over a small alphabet are no coincidence. */
const fewestLevels = 8;

/**
 * Texts of one length over a small alphabet. Nucleotides need 4 letters per text (or 3 with many different texts);
 * proteins 6, since short words spell amino acids too; other alphabets at most 6 letters, or the digits 0 and 1.
 */
export function lookAtSequences(levels: readonly string[]): SequenceLook | undefined {
  const length = levels[0]?.length ?? 0;
  const letters = new Set<string>();
  for (const text of levels) {
    if (text.length !== length) return undefined;
    for (const letter of text) letters.add(letter);
    if (letters.size > 30) return undefined;
  }
  const alphabet = [...letters].sort().join('');
  const isMany = levels.length >= fewestLevels;
  const isLong = length >= 4 || (length === 3 && isMany);
  if (
    levels.length >= 2 &&
    isLong &&
    /^(?:[ACGNT-]+|[acgnt-]+)$/.test(alphabet) &&
    /[acgt].*[acgt]/i.test(alphabet)
  )
    return { kind: 'DNA', length, alphabet };
  if (
    levels.length >= 2 &&
    isLong &&
    /^(?:[ACGNU-]+|[acgnu-]+)$/.test(alphabet) &&
    /u/i.test(alphabet) &&
    letters.size > 1
  )
    return { kind: 'RNA', length, alphabet };
  if (!isMany) return undefined;
  if (length >= 6 && letters.size > 4 && /^[ACDEFGHIKLMNPQRSTVWXY*-]+$/.test(alphabet))
    return { kind: 'protein', length, alphabet };
  if (length >= 5 && letters.size <= 6 && (/^(?:[A-Z-]+|[a-z-]+)$/.test(alphabet) || alphabet === '01'))
    return { kind: 'sequence', length, alphabet };
  return undefined;
}
