import { stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import type { Client, Places } from './clients.ts';

/** The places of settings on this machine, and the files there. */
export interface Machine extends Places {
  exists: (path: string) => Promise<boolean>;
}

export function thisMachine(places: Places): Machine {
  const exists = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    );
  return { ...places, exists };
}

/** True if a client was installed or used here. */
export async function isOnMachine(client: Client, machine: Machine): Promise<boolean> {
  const files = client.files(machine);
  const { dirname } = machine.platform === 'win32' ? win32 : posix;
  const signs = client.sign === undefined ? files.map(dirname) : [client.sign(machine), ...files];
  const found = await Promise.all(signs.map(machine.exists));
  return found.includes(true);
}

/** The settings file of a client: in the first of its folders that exists, the first file that does. */
export async function chooseFile(client: Client, machine: Machine): Promise<string> {
  const { dirname } = machine.platform === 'win32' ? win32 : posix;
  const files = client.files(machine);
  const last = files.at(-1) ?? '';
  for (const file of files) {
    if (!(await machine.exists(dirname(file)))) continue;
    const beside = files.filter((each) => dirname(each) === dirname(file));
    for (const each of beside) if (await machine.exists(each)) return each;
    return beside.at(-1) ?? last;
  }
  return last;
}
