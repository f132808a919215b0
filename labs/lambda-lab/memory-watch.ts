import { readFile } from 'node:fs/promises';

/** The interval between two looks at a process. A leak of 1 GB/s is caught within 50 MB. */
const INTERVAL_MS = 50;

/** Calls `onExceeded` once the process holds more memory than the limit; the returned function ends the watch. */
export function watchMemory(processId: number, limitBytes: number, onExceeded: () => void): () => void {
  const timer = setInterval(async () => {
    const { now } = await memoryOf(processId);
    if (now <= limitBytes) return;
    clearInterval(timer);
    onExceeded();
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}

/** Resident memory of a process in bytes, now and at its highest; zeros once it has ended. */
export async function memoryOf(processId: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return '';
    throw error;
  });
  return { now: field(status, 'VmRSS'), peak: field(status, 'VmHWM') };
}

function field(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
}
