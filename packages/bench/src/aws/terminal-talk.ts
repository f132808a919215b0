import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { AwsFailure } from './aws-failure.ts';
import type { Talk } from './talk.ts';

export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean | undefined };
  readonly output: Writable;
}

/** Steps and questions on a terminal. With `yes` the question is shown, and taken as agreed to. */
export function terminalTalk({ input, output }: Terminal, yes: boolean): Talk {
  return {
    say: (line) => {
      output.write(`${line}\n`);
    },
    agree: async (question) => {
      output.write(`${question}\n`);
      if (yes) return true;
      if (input.isTTY !== true)
        throw new AwsFailure(
          'not_agreed',
          'Nobody can be asked here, as the standard input is no terminal, so nothing was done.',
          'Run it in a terminal, or give --yes if you agree to the above.',
        );
      return (await answerOf(input, output)) === 'yes';
    },
  };
}

async function answerOf(input: Readable, output: Writable): Promise<string> {
  const terminal = createInterface({ input, output });
  try {
    const closed = once(terminal, 'close').then(() => '');
    return (await Promise.race([terminal.question('Type yes to go on: '), closed])).trim();
  } finally {
    terminal.close();
  }
}
