/** Times for people, without the locale of the machine that writes the report. */
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** "15 November 2026, 22:55 UTC"; a text that is no time stays as it is. */
export function formatTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const [hours, minutes] = [time.getUTCHours(), time.getUTCMinutes()].map((n) => String(n).padStart(2, '0'));
  return `${time.getUTCDate()} ${months[time.getUTCMonth()]} ${time.getUTCFullYear()}, ${hours}:${minutes} UTC`;
}

/** "42 s", "3 min 12 s", "2 h 5 min". */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return '–';
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
