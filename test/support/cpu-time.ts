/**
 * Milliseconds of processor time that synchronous work takes in this process. Wall time would include other processes of
 * a loaded machine.
 */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
