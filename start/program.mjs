// @ts-check

import { spawn } from 'node:child_process';
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, nodeFor, ROOT, say } from './parts.mjs';

/**
 * Runs a program of this repository, which finds its arguments from the third on, and installs before what it needs.
 *
 * @param {import('./parts.mjs').Server | 'everything'} needed
 * @param {string} file
 */
export async function start(needed, file) {
  await ensureInstalled(needed);
  const script = join(ROOT, file);
  const other = nodeFor(needed);
  // Most of the start of a server is to strip types and to compile. Node 20 has no such cache.
  if (needed !== 'everything') module.enableCompileCache?.(join(ROOT, 'node_modules', '.cache', 'compiled'));
  if (other === null) await import(pathToFileURL(script).href);
  else startBy(other.node, [...other.options, script, ...process.argv.slice(2)]);
}

/**
 * Ends as the program ends.
 *
 * @param {string} node
 * @param {readonly string[]} parameters
 */
function startBy(node, parameters) {
  // In a group of its own: a signal to the group of this one would reach it twice, and a second one stops a server at
  // once.
  const detached = process.platform !== 'win32';
  const child = spawn(node, parameters, { stdio: 'inherit', detached });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => detached && child.kill(signal));
  }
  child.on('error', (error) => {
    say(error.message);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 1;
      return;
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
