import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `pnpm lab NAME ARGUMENT...`: each lab by its name, and the program that starts it. */
const labs: ReadonlyMap<string, string> = new Map([
  ['nfs', './nfs-lab/nfs-lab'],
  ['lambda', './lambda-lab/main.ts'],
]);

const [name = '', ...commandLine] = process.argv.slice(2);
const program = labs.get(name);
if (program === undefined) {
  process.stderr.write(
    `usage: pnpm lab ${[...labs.keys()].join('|')} [OPTION...] [-- COMMAND [ARGUMENT...]]\n`,
  );
  process.exitCode = 2;
} else {
  run(fileURLToPath(new URL(program, import.meta.url)), commandLine);
}

/** Runs the program on this process's own streams, with this Node first on its path, and ends as it ends. */
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
