/** Values of options as they are typed. */
import { ArgumentError } from '../numeric/errors.js';

/** Of an option that may be repeated. */
export const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** A whole number. */
export function numberOf(
  flag: string,
  text: string,
  { least, most = Number.MAX_SAFE_INTEGER }: { least: number; most?: number },
): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `, ${least} or more` : ` from ${least} to ${most}`;
  throw new ArgumentError(flag, `${flag} is "${text}"; expected a whole number${range}`);
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** "90s", "5m" or "1.5h", in seconds; a number alone is seconds. */
export function secondsOf(flag: string, text: string): number {
  const found = /^\s*(\d+\.?\d*|\.\d+)\s*([smh]?)\s*$/i.exec(text);
  const seconds = found ? Number(found[1]) * units[found[2]!.toLowerCase() || 's']! : Number.NaN;
  if (seconds > 0) return seconds;
  throw new ArgumentError(flag, `${flag} is "${text}"; expected a time such as "90s", "5m" or "1h"`);
}
