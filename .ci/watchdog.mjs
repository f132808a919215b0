import { setTimeout as wait } from 'node:timers/promises';
import { isAlive } from './processes.mjs';
import { endRun } from './run-directories.mjs';

/*
 * node watchdog.mjs NAME PLACE[:PLACE] PID:START...: ends a run as soon as one of these processes is gone. The first is
 * that of `contained.mjs`, which ends its run by itself if it can; the others called it.
 */

const EVERY_MS = 500;

const [name, places, ...named] = process.argv.slice(2);
const watched = named.map((one) => {
  const [pid, start] = one.split(':');
  return { pid: Number(pid), start };
});
const [contained] = watched;

while (watched.every(isAlive)) await wait(EVERY_MS);
await endRun(name, places.split(':'), isAlive(contained) ? [contained] : []);
