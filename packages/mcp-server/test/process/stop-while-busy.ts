import { join } from 'node:path';
import { expect } from 'vitest';
import { temporaryDirectory } from '../built-server.ts';
import { RawServer } from '../raw-server.ts';

export const ENDINGS = ['the end of stdin', 'SIGTERM'] as const;

/** A page on whose lines this expression takes some 30 µs a character: a search that would take a minute. */
export const SLOW_PAGE = `${'a'.repeat(1_400)}\n`.repeat(1_300);
export const SLOW_SEARCH = { query: '(?:a?){500}a{500}', mode: 'regex' };

interface Busy {
  bundle: string;
  ending: (typeof ENDINGS)[number];
  pages: Readonly<Record<string, string>>;
  calls: readonly (readonly [tool: string, args: Record<string, unknown>])[];
  /** True if the client cancels the calls before. */
  cancels?: boolean;
}

/** Stops a new server during these calls, whose ids are their positions. Returns how long it took to end. */
export async function stopWhileBusy({ bundle, ending, pages, calls, cancels = false }: Busy) {
  const wikis = join(await temporaryDirectory(), 'wikis');
  const server = new RawServer(process.execPath, [bundle, '--dir', wikis]);
  await server.initialize();
  for (const [path, content] of Object.entries(pages)) {
    server.callTool(path, 'write_page', { path, content });
    await server.answerTo(path);
  }
  for (const [at, [tool, args]] of calls.entries()) server.callTool(at, tool, args);
  // Another call is answered while these run, and none of these has been answered.
  server.callTool('other', 'read_page', { path: 'Home' });
  await server.answerTo('other');
  expect(server.answers.filter(({ id }) => typeof id === 'number')).toEqual([]);
  if (cancels) {
    for (const requestId of calls.keys())
      server.send({ method: 'notifications/cancelled', params: { requestId } });
  }
  const stopped = performance.now();
  if (ending === 'SIGTERM') server.process.kill('SIGTERM');
  else server.process.stdin.end();
  const ended = await server.ended;
  const stopMs = performance.now() - stopped;
  return { server, ended, stopMs, repository: join(wikis, 'main.git') };
}
