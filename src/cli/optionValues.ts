/** Values of options as they are typed. */
import { ArgumentError } from '../numeric/errors.js';

/** Of an option that may be repeated. */
export const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** A whole number. */
export function numberOf(flag: string, text: string, { least }: { least: number }): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= least) return value;
  throw new ArgumentError(flag, `${flag} is "${text}"; expected a whole number, ${least} or more`);
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** "90s", "5m" or "1.5h", in seconds; a number alone is seconds. */
export function secondsOf(flag: string, text: string): number {
  const found = /^\s*(\d+\.?\d*|\.\d+)\s*([smh]?)\s*$/i.exec(text);
  const seconds = found ? Number(found[1]) * units[found[2]!.toLowerCase() || 's']! : Number.NaN;
  if (seconds > 0) return seconds;
  throw new ArgumentError(flag, `${flag} is "${text}"; expected a time such as "90s", "5m" or "1h"`);
}

/** "steps=300", "hidden=64,64" or "hidden=[64,64]", "bootstrap=false" or "head=categorical". */
export function optionValue(flag: string, text: string): readonly [string, unknown] {
  const at = text.indexOf('=');
  const name = text.slice(0, at).trim();
  const value = text.slice(at + 1).trim();
  if (at < 0 || name === '' || value === '') {
    throw new ArgumentError(flag, `${flag} "${text}": expected a name and a value, such as "steps=300"`);
  }
  if (value === 'null') return [name, null];
  if (value === 'true' || value === 'false') return [name, value === 'true'];
  const bracketed = /^\[(.*)\]$/.exec(value);
  const isList = bracketed !== null || name === 'hidden';
  const numbers = (bracketed?.[1] ?? value)
    .split(',')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (!numbers.every(Number.isFinite)) {
    if (isList) throw new ArgumentError(flag, `${flag} "${text}": expected numbers, such as "${name}=64,64"`);
    return [name, value];
  }
  return [name, numbers.length === 1 && !isList ? numbers[0] : numbers];
}
