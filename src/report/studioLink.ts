/** Where `nemokit studio` listens if nobody uses the port, so that a report can lead there. */
export const STUDIO_PORT = 4748;

/** Opens a run, by its folder, in a studio that is running on this machine; null where the name is no plain one. */
export function studioLink(run: string): string | null {
  const name = run.split(/[/\\]/).findLast((part) => part !== '') ?? '';
  return /^[\w.-]{1,200}$/.test(name) ? `http://127.0.0.1:${STUDIO_PORT}/run/${name}` : null;
}
