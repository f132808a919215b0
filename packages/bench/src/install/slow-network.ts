import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A network namespace that reaches this machine alone, through a link of limited speed. */
export interface SlowNetwork {
  /** The address of this machine for what runs there. */
  host: string;
  /** The words before a command that runs there. */
  enter: readonly string[];
  /** Limits each direction, in Mbit/s. */
  limit(megabits: number): Promise<void>;
  /** The bytes that were sent there, with the headers of every packet. */
  received(): Promise<number>;
  remove(): Promise<void>;
}

/** Makes the namespace. Needs root. */
export async function makeSlowNetwork(): Promise<SlowNetwork> {
  const [name, device, inside] = [`pt${process.pid}`, `pt${process.pid}`, 'eth0'];
  const [host, guest] = ['10.213.7.1', '10.213.7.2'];
  await ip('netns', 'add', name);
  await ip('link', 'add', device, 'type', 'veth', 'peer', 'name', inside, 'netns', name);
  await ip('addr', 'add', `${host}/30`, 'dev', device);
  await ip('link', 'set', device, 'up');
  await ip('-n', name, 'addr', 'add', `${guest}/30`, 'dev', inside);
  for (const each of [inside, 'lo']) await ip('-n', name, 'link', 'set', each, 'up');
  return {
    host,
    enter: ['ip', 'netns', 'exec', name],
    limit: async (megabits) => {
      const bucket = ['root', 'tbf', 'rate', `${megabits}mbit`, 'burst', '32kb', 'latency', '400ms'];
      await run('tc', ['qdisc', 'replace', 'dev', device, ...bucket]);
      await run('tc', ['-n', name, 'qdisc', 'replace', 'dev', inside, ...bucket]);
    },
    received: async () => Number(await readFile(`/sys/class/net/${device}/statistics/tx_bytes`, 'utf8')),
    remove: () => ip('netns', 'del', name),
  };
}

async function ip(...words: string[]): Promise<void> {
  await run('ip', words);
}
