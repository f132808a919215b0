import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openWiki } from '@pagetree/wiki';
import { type Call, connect, dispatch, parseInput, type Wiki } from '@pagetree/wiki/contract';
import { invokeWiki } from '../../../../labs/lambda-lab/invoke-wiki.ts';
import { startLambdaLab } from '../../../../labs/lambda-lab/lambda-lab.ts';
import { buildServer } from '../../../mcp-server/build.ts';
import { functionDirectory } from '../../../wiki-lambda/build.ts';
import { type Timing, time } from '../index/measure.ts';

/** The same read of one page, in this process and by each way to it. */
export interface Overhead {
  operation: Timing;
  envelope: Timing;
  mcp: Timing;
  invoke: Timing;
  /** MCP in front and Lambda behind. */
  both: Timing;
}

const call: Call = { caller: { author: { name: 'A Reader', email: 'reader@example.org' }, agent: null } };

/** @param calls how often each way is taken, after some that are not counted. */
export async function measureOverhead(calls: number): Promise<Overhead> {
  const directory = mkdtempSync(join(tmpdir(), 'overhead-'));
  const server = join(directory, 'pagetree.js');
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({
    directory: join(directory, 'wikis'),
    wiki: null,
    placement: 'local',
    host,
  });
  await buildServer(server);
  const lab = await startLambdaLab({
    code: functionDirectory,
    variables: { PAGETREE_DIR: join(directory, 'remote') },
  });
  const invoked = invokeWiki(lab);
  try {
    const looped = connect(async (request) => travelled(await dispatch(opened.wiki, travelled(request))));
    const remote = { AWS_ENDPOINT_URL_LAMBDA: lab.endpoint, PAGETREE_FUNCTION: lab.functionArn };
    return {
      operation: await timeReads(calls, reads(opened.wiki)),
      envelope: await timeReads(calls, reads(looped)),
      mcp: await timeOverMcp(calls, server, { PAGETREE_DIR: join(directory, 'wikis') }),
      invoke: await timeReads(calls, reads(invoked.wiki)),
      both: await timeOverMcp(calls, server, remote),
    };
  } finally {
    invoked.close();
    await lab.stop();
    await opened.close();
    rmSync(directory, { recursive: true });
  }
}

function reads(wiki: Wiki): () => Promise<unknown> {
  return () => wiki.read_page(parseInput('read_page', { path: 'Home' }), call);
}

function timeReads(calls: number, read: () => Promise<unknown>): Promise<Timing> {
  return time([null], read, calls);
}

/** Through the server as it ships, over standard input and output, by hand: no client's own time is in it. */
async function timeOverMcp(
  calls: number,
  server: string,
  variables: Record<string, string>,
): Promise<Timing> {
  const child = spawn(process.execPath, [server], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: variables,
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let id = 0;
  const request = async (method: string, params: object) => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const answer = JSON.parse((await lines.next()).value ?? '');
    if (answer.id !== id || answer.error || answer.result.isError) throw new Error(JSON.stringify(answer));
  };
  const clientInfo = { name: 'bench', version: '1' };
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const read = () => request('tools/call', { name: 'read_page', arguments: { path: 'Home' } });
  const timing = await timeReads(calls, read);
  child.stdin.end();
  return timing;
}

function travelled(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
