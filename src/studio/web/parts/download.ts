/** Hands bytes to the person as a file. */
export function download(
  name: string,
  content: Uint8Array | string,
  type = 'application/octet-stream',
): void {
  const part = typeof content === 'string' ? content : Uint8Array.from(content);
  const address = URL.createObjectURL(new Blob([part], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Rows as CSV. Texts that a spreadsheet would take for a formula get an apostrophe. */
export function csvOf(header: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cell = (value: unknown): string => {
    if (value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
      return '';
    if (typeof value === 'number') return String(value);
    const text = String(value);
    const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",;'\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
  };
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\n`).join('');
}
