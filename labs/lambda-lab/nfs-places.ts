import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Place } from './runtime-process.ts';

const run = promisify(execFile);

/** The directory of the wikis in each environment. */
export const nfsDirectory = '/mnt/efs';

/**
 * Environments on NFS clients of their own, the first one on client 1; to be used inside nfs-lab, beside its server.
 * Each client gets a link of its own to the lab: the Runtime API is near on Lambda too, however far EFS is.
 */
export function nfsPlaces(): (slot: number) => Promise<Place> {
  const links = new Map<number, Promise<string>>();
  return async (slot) => {
    const client = slot + 1;
    let link = links.get(client);
    if (link === undefined) {
      link = connect(client);
      links.set(client, link);
    }
    return { command: ['in-client', String(client)], host: await link };
  };
}

async function connect(client: number): Promise<string> {
  const [here, there] = [`10.10.${client}.1`, `10.10.${client}.2`];
  const [device, namespace] = [`lambda${client}`, `c${client}`];
  await ip('link', 'add', device, 'type', 'veth', 'peer', 'name', 'lambda0', 'netns', namespace);
  await ip('addr', 'add', `${here}/30`, 'dev', device);
  await ip('link', 'set', device, 'up');
  await ip('-n', namespace, 'addr', 'add', `${there}/30`, 'dev', 'lambda0');
  await ip('-n', namespace, 'link', 'set', 'lambda0', 'up');
  return here;
}

function ip(...words: string[]) {
  return run('ip', words);
}
