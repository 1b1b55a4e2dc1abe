/** How tabs and workers speak about one run. */

export function channelOf(id: string): BroadcastChannel {
  return new BroadcastChannel(`nemokit-run-${id}`);
}

/** Held by the worker that computes the run, in whichever tab it lives. */
export function lockOf(id: string): string {
  return `nemokit-run-${id}`;
}
