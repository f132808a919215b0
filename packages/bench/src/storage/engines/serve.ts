import { createInterface } from 'node:readline';
import type { Answer, Command } from './protocol.ts';

/** Answers the commands on this process's standard input, until its end. */
export async function serve(run: (command: Command) => Promise<string | undefined>): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const start = performance.now();
    const outcome = await outcomeOf(run, JSON.parse(line));
    const answer: Answer = {
      ...outcome,
      milliseconds: performance.now() - start,
      peakRssMegabytes: process.resourceUsage().maxRSS / 1024,
    };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

async function outcomeOf(
  run: (command: Command) => Promise<string | undefined>,
  command: Command,
): Promise<Pick<Answer, 'text' | 'failure'>> {
  try {
    return { text: (await run(command)) ?? '' };
  } catch (error) {
    // An engine that cannot carry out a command is a result of the benchmark.
    return { failure: error instanceof Error ? `${error.name}: ${error.message}` : `${error}` };
  }
}
