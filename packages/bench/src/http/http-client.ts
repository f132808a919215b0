import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

/** The counts and times of one client. */
export interface Tally {
  /** The lines whose writes were acknowledged. */
  acknowledged: string[];
  readMs: number[];
  writeMs: number[];
  /** Requests whose connection the client broke. */
  broken: number;
  /** Answers by HTTP status. */
  statuses: Map<number, number>;
  /** Errors of tools that are not `busy`, by their text. */
  errors: string[];
}

const VERSION = '2026-07-28';
/** The share of requests whose connection is broken. */
const BROKEN = 0.15;

/** An agent that appends lines to pages that others write too, and reads them, until `endsAt`. */
export async function runClient(url: string, number: number, pages: number, endsAt: number): Promise<Tally> {
  const tally: Tally = {
    acknowledged: [],
    readMs: [],
    writeMs: [],
    broken: 0,
    statuses: new Map(),
    errors: [],
  };
  for (let at = 0; Date.now() < endsAt; at += 1) {
    const path = `Shared/${Math.floor(Math.random() * pages)}`;
    if (at % 2 === 0) await read(url, path, tally);
    else await write(url, path, `client ${number}, line ${at}`, tally);
    await setTimeout(Math.random() * 200);
  }
  return tally;
}

async function read(url: string, path: string, tally: Tally): Promise<void> {
  const beganMs = performance.now();
  const answer = await callTool(url, 'read_page', { path }, tally);
  if (answer !== null) tally.readMs.push(performance.now() - beganMs);
}

/** Sends the write again under its id until it is acknowledged. */
async function write(url: string, path: string, line: string, tally: Tally): Promise<void> {
  const args = { path, content: line, request_id: randomUUID() };
  for (;;) {
    const beganMs = performance.now();
    const answer = await callTool(url, 'append_to_page', args, tally);
    if (answer === 'done') {
      tally.writeMs.push(performance.now() - beganMs);
      tally.acknowledged.push(`${path}\t${line}`);
      return;
    }
    await setTimeout(50 + Math.random() * 100);
  }
}

/** Null if there was no answer. */
async function callTool(
  url: string,
  name: string,
  args: Record<string, unknown>,
  tally: Tally,
): Promise<'done' | 'failed' | null> {
  const gone = new AbortController();
  const breaks = Math.random() < BROKEN;
  const timer = breaks ? globalThis.setTimeout(() => gone.abort(), Math.random() * 60) : undefined;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args, _meta: META },
      }),
      signal: gone.signal,
    });
    tally.statuses.set(response.status, (tally.statuses.get(response.status) ?? 0) + 1);
    const { result } = (await response.json()) as {
      result?: { isError?: boolean; content: [{ text: string }] };
    };
    if (result === undefined) return 'failed';
    if (result.isError !== true) return 'done';
    const { text } = result.content[0];
    if (!text.startsWith('busy:')) tally.errors.push(text);
    return 'failed';
  } catch (error) {
    if (!breaks) throw error;
    tally.broken += 1;
    return null;
  } finally {
    clearTimeout(timer);
  }
}

const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
};
