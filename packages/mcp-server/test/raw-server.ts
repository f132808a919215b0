import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** One line of the server's standard output. */
export interface Answer {
  jsonrpc?: string;
  id?: number | string;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** A server process controlled line by line, for input and output that no client of the SDK would produce. */
export class RawServer {
  readonly process: ChildProcessWithoutNullStreams;
  readonly answers: Answer[] = [];
  /** Lines of standard output that are not JSON; there must be none. */
  readonly rubbish: string[] = [];
  stderr = '';
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
        this.answers.push(JSON.parse(line) as Answer);
      } catch {
        this.rubbish.push(line);
      }
      this.process.emit('answer');
    });
  }

  send(message: Record<string, unknown>): void {
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  callTool(id: number | string, name: unknown, args: unknown): void {
    this.send({ id, method: 'tools/call', params: { name, arguments: args } });
  }

  /** Waits for the first matching answer. Rejects if the server ends without one. */
  async answer(fits: (answer: Answer) => boolean): Promise<Answer> {
    const gone = this.ended.then(() => 'gone' as const);
    for (;;) {
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
