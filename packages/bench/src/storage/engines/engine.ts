import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Answer, Command } from './protocol.ts';

/** A process that carries out commands one after another. */
export interface Engine {
  /** @throws EngineGone, after which there is no engine any more; EngineFailed, after which it goes on. */
  run(command: Command, limitSeconds: number): Promise<Answer>;
  /** Ends it, and waits until it has. */
  end(): Promise<void>;
}

/** There is no engine any more: a command took longer than it may, for which it was killed, or it ended by itself. */
export class EngineGone extends Error {
  override readonly name = 'EngineGone';
}

/** The engine could not carry out a command; the message is what it says. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed';
}

/** Starts an engine; what it has to say of errors goes to this process's standard error. */
export function startEngine([program = '', ...parameters]: readonly string[]): Engine {
  const child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
  // The end of its answers shows that it died.
  child.stdin.on('error', () => {});
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  return {
    run: async (command, limitSeconds) => {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      let late = false;
      const limit = setTimeout(() => {
        late = true;
        child.kill('SIGKILL');
      }, limitSeconds * 1000);
      const { value, done } = await answers.next();
      clearTimeout(limit);
      if (late) throw new EngineGone(`More than ${limitSeconds} s for ${command.do}.`);
      if (done) throw new EngineGone(`The engine ended while it should ${command.do}.`);
      const answer: Answer = JSON.parse(value);
      if (answer.failure !== undefined) throw new EngineFailed(answer.failure);
      return answer;
    },
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
