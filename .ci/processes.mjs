import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/*
 * The processes of this machine, as Linux lists them in /proc. Elsewhere the lists are empty, and nothing is killed.
 *
 * A process is `{ pid, parent, start }`. A pid is used again: only the pid and the start together name a process.
 */

const HAS_LIST = existsSync('/proc/self/stat');

/** For processes that the kernel keeps although they were killed, as while they wait for a disk. */
const MAX_WAIT_MS = 10_000;

/** All processes but those that have ended and wait for their parent. */
export function listProcesses() {
  if (!HAS_LIST) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readProcess(Number(pid)))
    .filter((found) => found !== null);
}

/** Null if there is no such process. */
export function readProcess(pid) {
  const status = textOf(`/proc/${pid}/stat`);
  // The name of the program stands in parentheses, and may hold some itself.
  const [state, parent, ...rest] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  const hasEnded = state === '' || state === 'Z' || state === 'X';
  return hasEnded ? null : { pid, parent: Number(parent), start: rest[17] };
}

export function isAlive({ pid, start }) {
  return HAS_LIST ? readProcess(pid)?.start === start : send(pid, 0);
}

/** The command line of a process, its words separated by spaces. */
export function commandOf(pid) {
  return textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

/** The processes below a process. A pid in `spared` is left out, with all below it. */
export function descendantsOf(pid, processes, spared) {
  const found = [];
  const parents = new Set([pid]);
  // A child may have a smaller pid than its parent.
  for (let before = -1; before !== parents.size; ) {
    before = parents.size;
    for (const child of processes) {
      if (!parents.has(child.parent) || parents.has(child.pid) || spared.includes(child.pid)) continue;
      parents.add(child.pid);
      found.push(child);
    }
  }
  return found;
}

/**
 * Kills processes until none is left: those of `known`, all below them, and each whose environment names `mark`.
 * @param spared pids that are not killed.
 */
export async function killAll({ known, mark, spared }) {
  const keys = new Set(known.map(keyOf));
  for (let waited = 0; waited < MAX_WAIT_MS; waited += 50) {
    const processes = listProcesses();
    const own = processes.filter((one) => keys.has(keyOf(one)) || hasMark(one.pid, mark));
    const below = own.flatMap(({ pid }) => descendantsOf(pid, processes, spared));
    const left = [...own, ...below].filter(({ pid }) => !spared.includes(pid));
    if (left.length === 0) return;
    for (const { pid } of left) send(pid, 'SIGKILL');
    for (const one of left) keys.add(keyOf(one));
    await wait(50);
  }
}

function hasMark(pid, mark) {
  const environment = textOf(`/proc/${pid}/environ`);
  const at = environment.indexOf(mark);
  // Otherwise a mark would be found as the beginning of a longer one.
  return at >= 0 && !/\d/.test(environment[at + mark.length] ?? '');
}

function keyOf({ pid, start }) {
  return `${pid} ${start}`;
}

/** False if there is no such process. One of another user is there, and gets no signal. */
function send(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
    return error.code === 'EPERM';
  }
}

/** Empty if the process ended meanwhile, or belongs to another user. */
function textOf(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
