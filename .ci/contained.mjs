import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { commandOf, descendantsOf, listProcesses, readProcess } from './processes.mjs';
import { directoriesOfRun, endRun, makeDirectories, placesOf } from './run-directories.mjs';

/*
 * node contained.mjs COMMAND [ARGUMENT...]: runs a command and ends as it ends. All processes and temporary files of the
 * command end with it, also if this process is killed: a watchdog sees to that.
 */

const [command, ...parameters] = process.argv.slice(2);
const directories = directoriesOfRun();
await makeDirectories(directories);

const watchdog = startWatchdog();
// Programs of npm are scripts on Windows, which only its command interpreter starts.
const shell = process.platform === 'win32';
const child = spawn(command, parameters, { stdio: 'inherit', env: environment(), shell });
// A terminal sends SIGINT to the command too.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));

child.on('error', ({ message }) => {
  process.stderr.write(`${command} could not be started: ${message}\n`);
  void end(127);
});
child.on('exit', (code, signal) => void end(code ?? 128 + constants.signals[signal]));

async function end(status) {
  const known = descendantsOf(process.pid, listProcesses(), [watchdog.pid]);
  await endRun(directories.name, placesOf(directories), known, [watchdog.pid]);
  process.exit(status);
}

/** In a group of its own: what is sent to the group of this process does not end it. It ends after this process. */
function startWatchdog() {
  const watched = [process.pid, ...callers()].map((pid) => `${pid}:${readProcess(pid)?.start}`);
  const program = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));
  const options = [directories.name, placesOf(directories).join(':'), ...watched];
  const started = spawn(process.execPath, [program, ...options], { stdio: 'ignore', detached: true });
  started.unref();
  return started;
}

/** The processes of pnpm that started this script, with the shells between them: a script ends with its pnpm. */
function callers() {
  const pids = [];
  let count = 0;
  for (let pid = process.ppid; pid > 1; pid = readProcess(pid)?.parent ?? 0) {
    pids.push(pid);
    const words = commandOf(pid);
    if (words.includes('pnpm')) count = pids.length;
    else if (!/^\S*sh -c /.test(words)) break;
  }
  return pids.slice(0, count);
}

function environment() {
  const { disk, memory } = directories;
  return {
    ...process.env,
    TMPDIR: disk,
    PAGETREE_RUN: disk,
    ...(memory === null ? {} : { PAGETREE_RUN_MEMORY: memory }),
  };
}
