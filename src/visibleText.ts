/**
 * A text of somebody else's as a terminal may show it: what could move the cursor, change a setting or turn the order
 * of letters becomes a dot. Line breaks and tabs stay.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '·');
}
