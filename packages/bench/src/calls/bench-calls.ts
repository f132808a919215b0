import { execFileSync } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServer } from '../../../mcp-server/build.ts';
import { table } from '../markdown-table.ts';
import { readOptions } from '../options.ts';
import { percentile } from '../percentile.ts';
import { rivalProgram } from '../rival-program.ts';
import { corporaDirectory } from '../search/corpora-config.ts';
import { openToolClient, type ToolClient } from '../tokens/tool-client.ts';

/**
 * `pnpm bench calls --rivals DIRECTORY`: the times of reads and edits over stdio, by a client that does nothing else,
 * beside @modelcontextprotocol/server-filesystem on the same files, call by call in turns.
 */
export async function benchCalls(args: readonly string[]): Promise<string> {
  const { rivals } = readOptions('calls', args, { rivals: { type: 'string' } });
  if (rivals === undefined) throw new Error('--rivals names where server-filesystem was installed by npm.');
  return reportOf(await measureCalls(rivals));
}

/** Times in milliseconds, of equal calls in the same order. */
export interface Pair {
  ours: number[];
  theirs: number[];
}

export interface Calls {
  first: Pair;
  again: Pair;
  edit: Pair;
}

const ROUNDS = 5;
const EDITS = 200;

export async function measureCalls(rivals: string): Promise<Calls> {
  // On a disk: what is synced in memory costs nothing.
  const place = await mkdtemp(join(tmpdir(), 'pagetree-bench-calls-'));
  try {
    const [wikis, files, server] = [join(place, 'wikis'), join(place, 'files'), join(place, 'pagetree.js')];
    const bundle = join(corporaDirectory(), 'foam-docs.bundle');
    await mkdir(wikis);
    execFileSync('git', ['clone', '--quiet', '--bare', bundle, join(wikis, 'main.git')]);
    execFileSync('git', ['clone', '--quiet', bundle, files]);
    await buildServer(server);
    const ours = await openToolClient([process.execPath, server, '--dir', wikis], {});
    const theirs = await openToolClient([process.execPath, rivalProgram(rivals, 'filesystem'), files], {});
    const calls = await measure(ours, theirs, files);
    await Promise.all([ours.close(), theirs.close()]);
    return calls;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function measure(ours: ToolClient, theirs: ToolClient, files: string): Promise<Calls> {
  const pages = globSync('**/*.md', { cwd: files }).map((file) => file.replace(/\.md$/, ''));
  const read = async (into: Pair) => {
    for (const page of pages) {
      into.ours.push(await timed(ours, 'read_page', { path: page }));
      into.theirs.push(await timed(theirs, 'read_text_file', { path: join(files, `${page}.md`) }));
    }
  };
  const calls: Calls = { first: newPair(), again: newPair(), edit: newPair() };
  await read(calls.first);
  for (let round = 0; round < ROUNDS; round += 1) await read(calls.again);
  const text = `Edit 0.\n${'A line that stays as it is.\n'.repeat(150)}`;
  await timed(ours, 'write_page', { path: 'Edited', content: text });
  writeFileSync(join(files, 'Edited.md'), text);
  for (let edit = 0; edit < EDITS; edit += 1) {
    const [old, next] = [`Edit ${edit}.`, `Edit ${edit + 1}.`];
    const edits = [{ old_string: old, new_string: next }];
    calls.edit.ours.push(await timed(ours, 'edit_page', { path: 'Edited', edits }));
    const theirEdits = [{ oldText: old, newText: next }];
    const path = join(files, 'Edited.md');
    calls.edit.theirs.push(await timed(theirs, 'edit_file', { path, edits: theirEdits }));
  }
  return calls;
}

function newPair(): Pair {
  return { ours: [], theirs: [] };
}

async function timed(client: ToolClient, tool: string, args: Record<string, unknown>): Promise<number> {
  const beganMs = performance.now();
  const { isError, content } = await client.call(tool, args);
  const took = performance.now() - beganMs;
  if (isError) throw new Error(`${tool}: ${content[0]?.text}`);
  return took;
}

function reportOf({ first, again, edit }: Calls): string {
  const row = (name: string, { ours, theirs }: Pair, aim: string) => {
    const [mine, other] = [percentile(ours, 0.5), percentile(theirs, 0.5)];
    const p95 = [percentile(ours, 0.95), percentile(theirs, 0.95)].map((value) => value.toFixed(2));
    return [name, mine.toFixed(2), other.toFixed(2), (mine / other).toFixed(2), aim, ...p95];
  };
  return table(
    ['ms, p50', 'Pagetree', 'server-filesystem', 'times', 'aim', 'p95', 'p95'],
    [
      row(`read of ${first.ours.length} pages, first`, first, '1.2'),
      row('read, again', again, '1.2'),
      row(`${edit.ours.length} edits, ours synced`, edit, '2'),
    ],
  );
}
