/** The time that this thread has had of a processor. Node before 23.9 knows only that of all threads together. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1_000;
}
