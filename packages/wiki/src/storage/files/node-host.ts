import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { errorName } from './file-system.ts';
import type { Host, ProcessIdentity } from './host.ts';

/** The machine that this process runs on. */
export function nodeHost(): Host {
  const self: ProcessIdentity = {
    hostname: hostname(),
    boot: readIfThere('/proc/sys/kernel/random/boot_id').trim(),
    namespace: processNamespace(),
    pid,
    started: startOf(pid),
  };
  return {
    now: () => Date.now(),
    wait: (milliseconds) => setTimeout(milliseconds),
    randomBytes: pooledRandomBytes(),
    self,
    isDead: async (process) => isDead(self, process),
  };
}

/**
 * Draws random bytes in large blocks: a call to the system takes far longer than copying a few bytes. Do not
 * use it if a running machine may be copied: both copies would make the same names.
 */
function pooledRandomBytes(): Host['randomBytes'] {
  let pool = Buffer.alloc(0);
  return (count) => {
    if (pool.length < count) pool = randomBytes(Math.max(count, POOL_BYTES));
    const taken = pool.subarray(0, count);
    pool = pool.subarray(count);
    return taken;
  };
}

const POOL_BYTES = 4096;

function isDead(self: ProcessIdentity, process: ProcessIdentity): boolean {
  if (process.hostname !== self.hostname) return false;
  if (process.boot !== self.boot) return process.boot !== '' && self.boot !== '';
  if (process.namespace !== self.namespace) return false;
  if (!isRunning(process.pid)) return true;
  const started = startOf(process.pid);
  return started !== '' && process.started !== '' && started !== process.started;
}

function isRunning(processId: number): boolean {
  try {
    kill(processId, 0);
    return true;
  } catch (error) {
    // Any other error, such as EPERM, means that the process exists.
    return errorName(error) !== 'ESRCH';
  }
}

/**
 * In clock ticks since the machine started: the 22nd field. The second field may contain blanks and
 * parentheses.
 */
function startOf(processId: number): string {
  const status = readIfThere(`/proc/${processId}/stat`);
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has it. Other systems leave the field empty.
    return '';
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Only Linux has it. Fields that the system does not report are ''.
    return '';
  }
}
