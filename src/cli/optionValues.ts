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

/** A number above 0. */
export function positiveOf(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new ArgumentError(flag, `${flag} is "${text}"; expected a number above 0`);
}

/** "4,3,1": three whole numbers, not all of them 0. */
export function countsOf(flag: string, text: string): number[] {
  const counts = /^\s*\d+\s*,\s*\d+\s*,\s*\d+\s*$/.test(text) ? text.split(',').map(Number) : [];
  if (counts.some((count) => count > 0)) return counts;
  throw new ArgumentError(
    flag,
    `${flag} is "${text}"; expected three whole numbers, such as "4,3,1": safe, balanced and bold designs`,
  );
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** "90s", "5m" or "1.5h", in seconds; a number alone is seconds. */
export function secondsOf(flag: string, text: string): number {
  const found = /^\s*(\d+(?:\.\d*)?|\.\d+)\s*([smh]?)\s*$/i.exec(text);
  const seconds = found ? Number(found[1]) * units[found[2]!.toLowerCase() || 's']! : Number.NaN;
  if (seconds > 0) return seconds;
  throw new ArgumentError(flag, `${flag} is "${text}"; expected a time such as "90s", "5m" or "1h"`);
}
