import { readFileSync, writeFileSync } from 'node:fs';

/** The resources used by a Linux process. CPU time instead of elapsed time, since the machine may be busy. */
export class Meter {
  readonly #pid: number;
  readonly #startedMs: number;
  readonly #startedCpuMs: number;
  readonly #startedKb: number;

  constructor(pid: number) {
    this.#pid = pid;
    // Resets the peak.
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    this.#startedKb = statusKb(pid, 'VmRSS');
    this.#startedCpuMs = cpuMs(pid);
    this.#startedMs = performance.now();
  }

  read(): { cpuMs: number; wallMs: number; peakMb: number; grownMb: number } {
    const peak = statusKb(this.#pid, 'VmHWM');
    return {
      cpuMs: cpuMs(this.#pid) - this.#startedCpuMs,
      wallMs: performance.now() - this.#startedMs,
      peakMb: peak / 1024,
      grownMb: (peak - this.#startedKb) / 1024,
    };
  }
}

/** CPU time of the thread that runs the event loop: the garbage collector and workers block no call. */
export function mainThreadMs(pid: number): number {
  const [nanoseconds = ''] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // The 14th and 15th field, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function statusKb(pid: number, field: string): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]);
}
