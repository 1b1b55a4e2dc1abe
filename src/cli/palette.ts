import pc from 'picocolors';

export type Palette = ReturnType<typeof pc.createColors>;

interface Environment {
  readonly NO_COLOR?: string | undefined;
  readonly FORCE_COLOR?: string | undefined;
  readonly TERM?: string | undefined;
}

/** https://no-color.org: NO_COLOR and --no-color win, then FORCE_COLOR, then whether a terminal listens. */
export function wantsColor(
  isTerminal: boolean,
  env: Environment = process.env,
  argv: readonly string[] = process.argv,
): boolean {
  if (env.NO_COLOR || argv.includes('--no-color')) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTerminal && !isPlainTerminal(env);
}

/** A terminal that knows no escape sequences, such as the shell of an editor. */
export function isPlainTerminal(env: Environment = process.env): boolean {
  return env.TERM === 'dumb';
}

export function palette(stream: { readonly isTTY?: boolean }): Palette {
  return pc.createColors(wantsColor(stream.isTTY === true));
}

export const paletteOf = (color: boolean): Palette => pc.createColors(color);
