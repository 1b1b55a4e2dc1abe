/** Names of columns inside goals and constraints. */

/** Names with other signs than letters, digits and _ stand in quotes. */
export function quoted(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

export function goalIsAbout(goal: string, name: string): boolean {
  return goal.includes(quoted(name)) && new RegExp(`(^|\\s)${escaped(quoted(name))}(\\s|$)`, 'u').test(goal);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
