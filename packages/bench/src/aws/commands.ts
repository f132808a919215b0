import { join, resolve } from 'node:path';
import { readOptions } from '../options.ts';
import { publishedSizes } from '../studies/jitter/record.ts';
import { type Aws, openAws } from './aws.ts';
import { collect } from './collect.ts';
import { deploy } from './deploy.ts';
import { destroy } from './destroy.ts';
import { status } from './status.ts';
import type { Talk } from './talk.ts';
import { type Terminal, terminalTalk } from './terminal-talk.ts';

const OPTIONS = {
  region: { type: 'string' },
  yes: { type: 'boolean', default: false },
  month: { type: 'boolean', default: false },
  out: { type: 'string', default: 'bench-results' },
} as const;

interface Options {
  region?: string | undefined;
  yes: boolean;
  month: boolean;
  out: string;
}

const COMMANDS: Readonly<Record<AwsCommand, (aws: Aws, options: Options, talk: Talk) => Promise<string>>> = {
  deploy: (aws, { month }, talk) => deploy(aws, { sizesMib: publishedSizes, month, now: new Date() }, talk),
  destroy: (aws, _, talk) => destroy(aws, talk),
  status: (aws) => status(aws, new Date()),
  collect: (aws, { out }, talk) =>
    collect(aws, join(resolve(out), 'jitter-collected.ndjson'), new Date(), talk),
};

export type AwsCommand = 'deploy' | 'destroy' | 'status' | 'collect';

/**
 * `pnpm bench deploy [--month] | destroy | status | collect [--out DIR]`, each with [--region NAME],
 * and `--yes` to ask nobody.
 * @returns the text printed at the end. @throws AwsFailure, or Usage
 */
export async function runAwsCommand(
  command: AwsCommand,
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string> {
  const options: Options = readOptions(command, args, OPTIONS);
  const aws = await openAws({ region: options.region });
  const talk = terminalTalk(terminal, options.yes);
  signal.addEventListener('abort', () =>
    talk.say('Ctrl-C once more ends this program. What AWS has begun goes on there.'),
  );
  try {
    return await COMMANDS[command](aws, options, talk);
  } finally {
    aws.close();
  }
}
