/** Enough of a text for a message. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return `"${line.length > 40 ? line.slice(0, 40) + '...' : line}"`;
}
