import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * Runs beside the server of nfs-lab. Client 1 builds the index of a wiki and is killed while it writes the
 * snapshot, a little later each round; then client 2 asks. Prints what each answer was.
 */
const program = fileURLToPath(new URL('./snapshot-client.ts', import.meta.url));
const snapshots = '/run/srv/wikis/main.git/pagetree/index';
const [pages = '', rounds = ''] = process.argv.slice(2);

await run(1, 'fill', pages);
const answers: unknown[] = [];
let cutShort = 0;
for (let round = 0; round < Number(rounds); round++) {
  const child = start(1, 'build', '');
  await once(child.stdout, 'data');
  // Only then is the snapshot begun, under a temporary name.
  while ((await names()).length === 0) await setTimeout(1);
  await setTimeout(round);
  child.kill('SIGKILL');
  await once(child, 'close');
  if ((await names()).every((name) => name.startsWith('new-'))) cutShort += 1;
  answers.push(JSON.parse(await run(2, 'ask', `${round}`)));
}
await run(1, 'build', '');
const last = JSON.parse(await run(2, 'ask', rounds));
process.stdout.write(JSON.stringify({ answers, cutShort, last, names: await names() }));

function start(client: number, task: string, number: string) {
  return spawn('in-client', [String(client), 'node', program, task, number], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function run(client: number, task: string, number: string): Promise<string> {
  const child = start(client, task, number);
  const ended = once(child, 'close');
  const output = await text(child.stdout);
  const [status] = await ended;
  if (status !== 0) throw new Error(`${task} ended with ${status}.`);
  return output;
}

async function names(): Promise<string[]> {
  return readdir(snapshots).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []; // Not made yet.
    throw error;
  });
}
