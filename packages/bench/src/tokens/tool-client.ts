import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** An answer of a tool: what a client can show its model of it. */
export interface ToolAnswer {
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface ToolClient {
  call(tool: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** Asks for the structured form besides the text. */
const META = { 'pagetree/structured': true };

/** A server over stdio, spoken to without an SDK, so that nothing checks or changes its answers. */
export async function openToolClient(
  command: readonly string[],
  meta: Record<string, unknown> = META,
): Promise<ToolClient> {
  const [program = '', ...args] = command;
  const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const closed = once(server, 'close');
  const waiting = new Map<number, (answer: { result?: ToolAnswer; error?: unknown }) => void>();
  createInterface({ input: server.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as { id?: number; result?: ToolAnswer; error?: unknown };
    waiting.get(answer.id ?? 0)?.(answer);
  });
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let last = 0;
  const ask = async (method: string, params: object): Promise<ToolAnswer> => {
    last += 1;
    const id = last;
    const answered = new Promise<{ result?: ToolAnswer; error?: unknown }>((resolve) =>
      waiting.set(id, resolve),
    );
    send({ id, method, params });
    const ended = closed.then(() => ({ error: 'The server ended.' }));
    const { result, error } = await Promise.race([
      answered,
      ended as Promise<{ result?: ToolAnswer; error?: unknown }>,
    ]);
    if (result === undefined)
      throw new Error(`${method} ${JSON.stringify(params)}: ${JSON.stringify(error)}`);
    return result;
  };
  const clientInfo = { name: 'bench', version: '1' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  return {
    call: (name, given) => ask('tools/call', { name, arguments: given, _meta: meta }),
    async close() {
      server.stdin.end();
      await closed;
    },
  };
}
