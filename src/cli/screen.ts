/**
 * The one way to standard output and standard error for text: whatever came from a file, a plug-in or a record, no
 * control character reaches a terminal but line breaks, tabs and the colours of `palette`.
 */
import { visibleText } from '../visibleText.js';
import { clearHeartbeat, pauseHeartbeat } from './heartbeat.js';
import { wantsColor } from './palette.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const colour = /(\u001b\[\d{1,2}m)/;

export function screenText(text: string, color: boolean): string {
  if (!color) return visibleText(text);
  return text
    .split(colour)
    .map((part, i) => (i % 2 === 1 ? part : visibleText(part)))
    .join('');
}

/** Prints a result. */
export function writeOut(text: string): void {
  pauseHeartbeat();
  process.stdout.write(screenText(text, wantsColor(process.stdout.isTTY === true)));
}

/** Says something about the work. */
export function writeErr(text: string): void {
  clearHeartbeat();
  process.stderr.write(screenText(text, wantsColor(process.stderr.isTTY === true)));
}
