import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** One start of the built server, as a client sees it. Milliseconds since the process was begun. */
export interface Start {
  initialized: number;
  listed: number;
  /** A page was read: the wiki is open. */
  read: number;
  /** Processor time until then, of all threads. */
  processorMs: number | null;
  /** The memory of the process at that time, in bytes; null if the system does not report it. */
  memory: number | null;
}

/** Starts a server as a client does, lists the tools, reads a page if there is one, and ends it. */
export async function measureStart([program = '', ...args]: string[], page: string | null): Promise<Start> {
  const began = performance.now();
  const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const closed = once(server, 'close');
  const ask = asker(server);
  const clientInfo = { name: 'bench', version: '1' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const initialized = performance.now() - began;
  send(server, { method: 'notifications/initialized' });
  await ask('tools/list', {});
  const listed = performance.now() - began;
  if (page !== null) {
    const answer = await ask('tools/call', { name: 'read_page', arguments: { path: page } });
    if (answer.result?.isError !== undefined || answer.error !== undefined) {
      throw new Error(`The page was not read: ${JSON.stringify(answer)}`);
    }
  }
  const read = performance.now() - began;
  const used = await usedBy(server.pid);
  server.stdin.end();
  await closed;
  return { initialized, listed, read, ...used };
}

/**
 * Lists the tools as a client does that asks a process beside the server which versions there are, and then begins the
 * server. Returns the milliseconds until it has the list.
 */
export async function measureProbedStart(bundle: string, wikis: string): Promise<number> {
  const began = performance.now();
  const params = {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const closed: Promise<unknown>[] = [];
  for (const method of ['server/discover', 'tools/list']) {
    const server = spawn(process.execPath, [bundle, '--dir', wikis], { stdio: ['pipe', 'pipe', 'ignore'] });
    closed.push(once(server, 'close'));
    const answer = await asker(server)(method, params);
    if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer)}`);
    server.stdin.end();
  }
  const took = performance.now() - began;
  await Promise.all(closed);
  return took;
}

/** From the beginning of a process until its first output or, if it has none, its end. */
export async function measureProcess([program = '', ...args]: string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  const took = performance.now() - began;
  await closed;
  return took;
}

interface Answer {
  id?: number;
  result?: { isError?: boolean };
  error?: unknown;
}

type Server = ChildProcessByStdio<Writable, Readable, null>;

function asker(server: Server) {
  let last = 0;
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface({ input: server.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.id ?? 0)?.(answer);
  });
  return (method: string, params: object): Promise<Answer> => {
    last += 1;
    const id = last;
    const answered = new Promise<Answer>((resolve, reject) => {
      waiting.set(id, resolve);
      server.once('close', (code) => reject(new Error(`The server ended with ${code}.`)));
    });
    send(server, { id, method, params });
    return answered;
  };
}

function send(server: Server, message: object): void {
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** As Linux reports it of a process. */
async function usedBy(pid: number | undefined): Promise<Pick<Start, 'memory' | 'processorMs'>> {
  if (process.platform !== 'linux') return { memory: null, processorMs: null };
  const [status, stat] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/stat`, 'utf8'),
  ]);
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  // After the name in brackets, which may hold anything: the 12th and 13th field, in hundredths of a second.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return { memory: kilobytes * 1_024, processorMs: (Number(user) + Number(system)) * 10 };
}
