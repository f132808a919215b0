import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Answer, Job } from './writer.ts';

/** A writer in a process of its own, which may be frozen and killed like any other. */
export interface WriterProcess {
  /** Its answer; null if it was killed first. */
  write(job: Job): Promise<Answer | null>;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  /** Lets it finish, and throws if it does not end well. */
  end(): Promise<void>;
}

export interface WriterPlace {
  /** The program that writes, `writer.ts` or one that speaks as it does. */
  program: URL;
  directory: string;
  placement: 'local' | 'shared';
  /** The words before `node` on the command line, such as `in-client 2`. */
  prefix: readonly string[];
}

export async function startWriter({
  program,
  directory,
  placement,
  prefix,
}: WriterPlace): Promise<WriterProcess> {
  const writer = [process.execPath, fileURLToPath(program), directory, placement];
  const [command = '', ...rest] = [...prefix, ...writer];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting = new Map<string, ((answer: Answer | null) => void)[]>();
  const started = Promise.withResolvers<number>();
  const ended = whenEnded(child).then((end) => {
    for (const answered of [...waiting.values()].flat()) answered(null);
    started.reject(new Error(`The writer ended before it began: ${end.errors}`));
    return end;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const value: number | Answer = JSON.parse(line);
    if (typeof value === 'number') started.resolve(value);
    else waiting.get(value.requestId)?.shift()?.(value);
  });
  const pid = await started.promise;

  return {
    async write(job) {
      if (child.exitCode === null && child.signalCode === null) {
        const answered = Promise.withResolvers<Answer | null>();
        waiting.set(job.requestId, [...(waiting.get(job.requestId) ?? []), answered.resolve]);
        child.stdin.write(`${JSON.stringify(job)}\n`);
        const answer = await answered.promise;
        if (answer !== null) return answer;
      }
      const { code, errors } = await ended;
      if (code !== null) throw new Error(`A writer ended with ${code}: ${errors}`);
      return null;
    },
    freeze: () => void process.kill(pid, 'SIGSTOP'),
    thaw: () => void process.kill(pid, 'SIGCONT'),
    kill: async () => {
      process.kill(pid, 'SIGKILL');
      await ended;
    },
    end: async () => {
      child.stdin.end();
      const { code, errors } = await ended;
      if (code !== 0) throw new Error(`A writer ended with ${code}: ${errors}`);
    },
  };
}

async function whenEnded(child: ChildProcess): Promise<{ code: number | null; errors: string }> {
  let errors = '';
  child.stderr?.on('data', (data) => {
    errors += data;
  });
  // A killed process does not read what is under way to it.
  child.stdin?.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, errors }));
  });
}
