import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `pnpm lab NAME ARGUMENT...`: the labs by name, each with the program that starts it. */
const labs: ReadonlyMap<string, string> = new Map([
  ['nfs', './nfs-lab/nfs-lab'],
  ['lambda', './lambda-lab/main.ts'],
]);

const USAGE = `usage: pnpm lab nfs [-n CLIENTS] [-r RTT_MS] [-s DISK_MIB] [-m MEMORY_MIB] [-t SECONDS] [-d WRITABLE_DIR] -- COMMAND [ARGUMENT...]
       pnpm lab lambda
`;

const [name = '', ...commandLine] = process.argv.slice(2);
const program = labs.get(name);
if (name === '--help' || commandLine[0] === '--help') {
  process.stdout.write(USAGE);
} else if (program === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  run(fileURLToPath(new URL(program, import.meta.url)), commandLine);
}

/**
 * Runs the program on this process's own streams, with this Node first on its path, and exits with its
 * status.
 */
function run(file: string, parameters: readonly string[]): void {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const child = spawn(file, parameters, { stdio: 'inherit', env: { ...process.env, PATH: path } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`lab: ${error.message}\n`);
    process.exitCode = 125;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
  });
}
