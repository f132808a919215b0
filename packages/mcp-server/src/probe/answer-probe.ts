import { parseArgs } from 'node:util';
import { discoverAnswer } from './discover-answer.ts';
import { probeIdIn } from './probe-id.ts';

/** The parts of the process that decide whether its client only asks for the versions. */
export interface Start {
  args: string[];
  env: NodeJS.ProcessEnv;
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
}

/** Clients send the first message at once. One that waits longer gets its answer from the program. */
const WAIT_MS = 20;

/**
 * Answers `server/discover` if the client sends that first: clients ask it of a process beside the real one, which they
 * then end, and would otherwise wait twice for the program to load. Returns `program` if the program has to go on: it
 * finds all other input unread. Whatever is not surely such a request is left to the program.
 */
export async function answerProbe(start: Start, version: string): Promise<'program' | 'end'> {
  const { input, output } = start;
  if (input.isTTY || !hasDefaultAnswer(start)) return 'program';
  const id = await firstProbe(input);
  if (id === null) return 'program';
  // The client has gone.
  const onError = () => process.exit(0);
  output.on('error', onError);
  output.write(discoverAnswer(id, version));
  const next = await nextInput(input);
  output.off('error', onError);
  return next;
}

/** False if a setting may be a mistake that stops the start, or changes the answer. */
function hasDefaultAnswer({ args, env }: Start): boolean {
  const isBlank = (name: string) => (env[name] ?? '').trim() === '';
  if (!['PAGETREE_EXCEPT_TOOLS', 'PAGETREE_SCOPE', 'PAGETREE_WRITE_SCOPE'].every(isBlank)) return false;
  if (!isBlank('PAGETREE_TOOLS') && env.PAGETREE_TOOLS !== 'all') return false;
  try {
    parseArgs({ args, options: PLACES });
    return true;
  } catch {
    return false;
  }
}

const PLACES = {
  dir: { type: 'string' },
  wiki: { type: 'string' },
  connect: { type: 'string' },
  files: { type: 'string', multiple: true },
} as const;

/** The id of the probe, taken from the input if that is all there is. */
function firstProbe(input: NodeJS.ReadStream): Promise<string | number | null> {
  return new Promise((resolve) => {
    const settle = (id: string | number | null) => {
      clearTimeout(timer);
      input.off('readable', onReadable).off('end', onEnd).off('error', onEnd);
      resolve(id);
    };
    const onEnd = () => settle(null);
    const onReadable = () => {
      // At the end of the input, which only the program may take.
      if (input.readableLength === 0) return settle(null);
      const bytes: Buffer = input.read();
      const id = probeIdIn(bytes.toString('utf8'));
      // In the same turn: otherwise the stream may end without it.
      if (id === null) input.unshift(bytes);
      settle(id);
    };
    const timer = setTimeout(onEnd, WAIT_MS);
    input.on('readable', onReadable).on('end', onEnd).on('error', onEnd);
  });
}

/** Waits for more input, or for the end of it. */
function nextInput(input: NodeJS.ReadStream): Promise<'program' | 'end'> {
  return new Promise((resolve) => {
    const settle = (next: 'program' | 'end') => {
      input.off('readable', onReadable).off('end', onEnd).off('error', onEnd);
      resolve(next);
    };
    const onEnd = () => settle('end');
    const onReadable = () => {
      if (input.readableLength > 0) settle('program');
      // A stream reports its end only to a reader.
      else input.read();
    };
    input.on('readable', onReadable).on('end', onEnd).on('error', onEnd);
  });
}
