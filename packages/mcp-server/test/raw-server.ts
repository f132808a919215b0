import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Asked, faultOfMessage } from './valid-message.ts';

/** One line of the server's standard output. */
export interface Answer {
  jsonrpc?: string;
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

/** A server process controlled line by line, for input and output that no client of the SDK would produce. */
export class RawServer {
  readonly process: ChildProcessWithoutNullStreams;
  readonly answers: Answer[] = [];
  /** Lines of standard output that are not JSON; there must be none. */
  readonly rubbish: string[] = [];
  /** The faults of messages that are not valid by the schema of their era; there must be none. */
  readonly faults: string[] = [];
  stderr = '';
  readonly #asked = new Map<unknown, Asked>();
  /** Settles when the process has ended and all its output was read. */
  readonly ended: Promise<{ code: number | null; signal: string | null }>;

  constructor(command: string, args: string[], env: Record<string, string> = {}, cwd?: string) {
    this.process = spawn(command, args, { env: { ...process.env, ...env }, cwd });
    this.ended = once(this.process, 'close').then(([code, signal]) => ({ code, signal }));
    // Writing to a server that has ended is part of some tests.
    this.process.stdin.on('error', () => {});
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      try {
        const answer = JSON.parse(line) as Answer;
        this.answers.push(answer);
        const fault = faultOfMessage(answer, this.#asked.get(answer.id));
        if (fault !== null) this.faults.push(`${fault} in ${line.slice(0, 1_000)}`);
      } catch {
        this.rubbish.push(line);
      }
      this.process.emit('answer');
    });
  }

  send(message: Record<string, unknown>): void {
    if (message.id !== undefined)
      this.#asked.set(message.id, { method: String(message.method), era: 'legacy' });
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Sends a request as clients do from 2026-07-28 on, with what `initialize` said before. */
  request(id: number | string, method: string, params: Record<string, unknown> = {}, meta = ENVELOPE): void {
    this.send({ id, method, params: { ...params, _meta: meta } });
    this.#asked.set(id, { method, era: 'modern' });
  }

  callTool(id: number | string, name: unknown, args: unknown): void {
    this.send({
      id,
      method: 'tools/call',
      params: { name, arguments: args, _meta: { 'pagetree/structured': true } },
    });
  }

  /** Waits for the first matching answer. Rejects if the server ends without one. */
  async answer(fits: (answer: Answer) => boolean): Promise<Answer> {
    const gone = this.ended.then(() => 'gone' as const);
    for (;;) {
      if (this.faults.length > 0) throw new Error(this.faults.join('\n'));
      const found = this.answers.find(fits);
      if (found !== undefined) return found;
      if ((await Promise.race([once(this.process, 'answer'), gone])) === 'gone') break;
    }
    const late = this.answers.find(fits);
    if (late !== undefined) return late;
    throw new Error(`The server ended without the answer. Its log: ${this.stderr}`);
  }

  answerTo(id: number | string): Promise<Answer> {
    return this.answer((answer) => answer.id === id);
  }

  async initialize(): Promise<void> {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw-client', version: '0.1' },
    };
    this.send({ id: 'initialize', method: 'initialize', params });
    await this.answerTo('initialize');
    this.send({ method: 'notifications/initialized' });
  }
}

/** The metadata of a request from 2026-07-28 on. */
export const ENVELOPE: Record<string, unknown> = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw-client', version: '0.2' },
};
