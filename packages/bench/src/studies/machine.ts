import { cpus, loadavg, totalmem } from 'node:os';

/** This machine in words, and how busy it is: what a reader must know of milliseconds. */
export function describeMachine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const load = (loadavg()[1] ?? 0).toFixed(1);
  return `a machine with ${cpus().length} processors (${first?.model.trim() ?? 'unknown'}), ${memory} GiB of memory, Node ${process.version}, at a load of ${load} in the five minutes before`;
}
