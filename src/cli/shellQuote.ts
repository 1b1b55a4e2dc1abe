/**
 * Words of a command as they have to be typed, so that bash, zsh, cmd and PowerShell read the same.
 *
 * - Bare: letters, digits and _ . : / = + - only. A comma makes a list in PowerShell, @ and % are special there or in cmd.
 * - Else in double quotes, which all of them know; single quotes mean nothing to cmd. Inside, < > | & ( ) ^ * ' ; and
 *   commas are plain everywhere.
 * - No quoting is right in all of them for: a double quote; $ and ` (expanded by bash and PowerShell); % (expanded by
 *   cmd); \\ before one of these or at the end (bash); ! (bash recalls history, but not before = or a space); line
 *   breaks. `isPortable` is false for such words. They belong in a problem file.
 */
export function isPortable(word: string): boolean {
  return !/["$`%\p{Cc}]|\\$|\\\\|!(?![= ])/u.test(word);
}

/** A word for a command line; in the way of POSIX shells where no way is right everywhere. */
export function shellQuote(word: string): string {
  if (/^[\w.:/=+-]+$/.test(word)) return word;
  return isPortable(word) ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
