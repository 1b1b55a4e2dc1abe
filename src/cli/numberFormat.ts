/** Numbers as people read them. */

/** Four significant digits, without trailing zeros. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '?';
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return String(value);
  return String(Number(value.toPrecision(4)));
}

/** A format that all of the values share: three digits of the largest, two of their spread, no needless zeros. */
export function alike(values: readonly number[]): (value: number) => string {
  const finite = values.filter(Number.isFinite);
  const largest = Math.max(0, ...finite.map(Math.abs));
  if (finite.every(Number.isInteger) && largest < 1e7) return short;
  if (largest >= 1e7 || largest < 1e-4) return short;
  const spread = Math.max(...finite) - Math.min(...finite);
  const digits = (size: number, wanted: number) => (size > 0 ? wanted - 1 - Math.floor(Math.log10(size)) : 0);
  let decimals = Math.min(
    8,
    Math.max(0, digits(largest, 3), Math.min(digits(spread, 2), digits(largest, 5))),
  );
  const isNeeded = () =>
    finite.some((value) => Number(value.toFixed(decimals)) !== Number(value.toFixed(decimals - 1)));
  while (decimals > 0 && !isNeeded()) decimals--;
  return (value) => (Number.isFinite(value) ? value.toFixed(decimals) : '?');
}

/** Seconds as 0:48, 12:05 or 1:02:03. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (n: number) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}
