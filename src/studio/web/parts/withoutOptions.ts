/**
 * Notes about a table name the option of the command that reads it otherwise. On a page nobody can type one, so what is said
 * stays and the option goes: after a semicolon, a colon, "with", or as a sentence of its own.
 */
export function withoutOptions(note: string): string {
  return note
    .replace(/(?:[;:,]| with| or) --[a-z][\s\S]*$/, '.')
    .replace(/(^|[.;] )[^.;]* --[a-z][\s\S]*$/, '$1')
    .replace(/[;\s]+$/, '');
}
