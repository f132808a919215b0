import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { publishedSizes } from '../studies/jitter/record.ts';
import { type Aws, openAws } from './aws.ts';
import { AwsFailure } from './aws-failure.ts';
import { collect } from './collect.ts';
import { deploy } from './deploy.ts';
import { destroy } from './destroy.ts';
import { status } from './status.ts';
import type { Talk } from './talk.ts';
import { type Terminal, terminalTalk } from './terminal-talk.ts';

const USAGE = `Usage: pnpm bench deploy [--month] | destroy | status | collect [--out DIR]
       each with [--region NAME], deploy and destroy with [--yes]`;

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
 * and `--yes` where nobody is to be asked.
 * @returns what a person is told at the end. @throws AwsFailure
 */
export async function runAwsCommand(
  command: AwsCommand,
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string> {
  const options = parsed(args);
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

function parsed(args: readonly string[]): Options {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    // parseArgs says in a sentence what it does not understand.
    throw misused(error instanceof Error ? error.message : String(error));
  }
}

function misused(what: string): AwsFailure {
  return new AwsFailure('misused', what, `\n${USAGE}`);
}
