import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A process beside the writers of a race, which may be frozen like any other. */
export interface HelperProcess<Report> {
  freeze(): void;
  thaw(): void;
  /** Lets it end its turn and returns its report. Throws if it fails. */
  end(): Promise<Report>;
}

export interface HelperPlace {
  /** A program that speaks as `helper.ts` does. */
  program: URL;
  directory: string;
  placement: 'local' | 'shared';
  /** The words before `node` on the command line, such as `in-client 2`. */
  prefix: readonly string[];
}

export async function startHelper<Report>(place: HelperPlace): Promise<HelperProcess<Report>> {
  const { program, directory, placement, prefix } = place;
  const helper = [process.execPath, fileURLToPath(program), directory, placement];
  const [command = '', ...rest] = [...prefix, ...helper];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });

  async function nextLine(): Promise<unknown> {
    const { done, value } = await lines.next();
    if (!done) return JSON.parse(value);
    throw new Error(`A process beside the writers ended with ${await closed}: ${errors}`);
  }

  const pid = Number(await nextLine());
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    if (child.exitCode !== null) throw new Error(`A process beside the writers ended early: ${errors}`);
    process.kill(pid, name);
  };
  return {
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    end: async () => {
      child.stdin.end();
      const report = (await nextLine()) as Report;
      const code = await closed;
      if (code !== 0) throw new Error(`A process beside the writers ended with ${code}: ${errors}`);
      return report;
    },
  };
}
