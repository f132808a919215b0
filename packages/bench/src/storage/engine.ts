import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Answer, Command } from './protocol.ts';

/** A process that carries out commands one after another. */
export interface Engine {
  run(command: Command): Promise<Answer>;
  /** Ends it, and waits until it has. */
  end(): Promise<void>;
}

/** Starts an engine; what it has to say of errors goes to this process's standard error. */
export function startEngine([program = '', ...parameters]: readonly string[]): Engine {
  const child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  return {
    run: async (command) => {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error(`The engine ended while it should ${command.do}.`);
      return JSON.parse(value);
    },
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
