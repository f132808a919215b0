#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFunction, functionDirectory } from '../../packages/wiki-lambda/build.ts';
import { startLambdaLab } from './lambda-lab.ts';

/**
 * `pnpm lab lambda`: the wiki's function with an empty wiki on local disk and room for 5 environments, until
 * it is stopped. Once ready, it prints the two lines that `pnpm mcp` needs to standard output; the log goes
 * to standard error.
 */
async function main(): Promise<void> {
  const stopped = stopSignal();
  await buildFunction();
  const directory = await mkdtemp(join(tmpdir(), 'lambda-lab-'));
  try {
    const lab = await startLambdaLab({
      code: functionDirectory,
      variables: { PAGETREE_DIR: directory },
      onLine: (line) => process.stderr.write(`${line}\n`),
    });
    process.stdout.write(`AWS_ENDPOINT_URL_LAMBDA=${lab.endpoint}\nPAGETREE_FUNCTION=${lab.functionArn}\n`);
    await stopped;
    await lab.stop();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** By a signal, which may come twice: from the package manager's group, and from `pnpm lab`. */
function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => resolve());
  // npx ends by a signal without passing it on, and its child would stay behind.
  const manager = packageManager(process.ppid);
  if (manager !== null) {
    setInterval(() => {
      if (!existsSync(`/proc/${manager}`)) resolve();
    }, 500).unref();
  }
  return promise;
}

/** The outermost npx, npm or pnpm that this process runs under; null if a person started it by its path. */
function packageManager(processId: number): number | null {
  if (processId <= 1) return null;
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  const isManager = /^Name:\s+p?np[mx]/m.test(status);
  const parent = Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
  return packageManager(parent) ?? (isManager ? processId : null);
}

await main();
