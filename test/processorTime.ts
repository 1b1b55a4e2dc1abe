/** Seconds of the processor since `start`: unlike those of a clock, other work on the machine hardly counts. */
export function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}
