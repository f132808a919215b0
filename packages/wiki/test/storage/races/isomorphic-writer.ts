import fs from 'node:fs';
import { createInterface } from 'node:readline';
import git, { type TreeEntry } from 'isomorphic-git';
import type { Answer, Job } from './writer.ts';

/** A writer that does the same jobs with isomorphic-git's own `commit`: the control of the race. */
const SHARED_PAGE = 'Shared.md';
const gitdir = process.argv[2] ?? '';
const author = { name: 'A. Writer', email: 'writer@example.org' };

print(process.pid);
for await (const line of createInterface({ input: process.stdin })) print(await carryOut(JSON.parse(line)));

/** Readers now and then meet a ref or an object that another process is just writing: then it is tried again. */
async function carryOut(job: Job): Promise<Answer> {
  try {
    return await append(job);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (typeof code !== 'string') throw error;
    return { requestId: job.requestId, kind: 'failed', code };
  }
}

async function append({ requestId, page }: Job): Promise<Answer> {
  const head = await git.resolveRef({ fs, gitdir, ref: 'main' });
  const entries = new Map(
    (await git.readTree({ fs, gitdir, oid: head })).tree.map((entry) => [entry.path, entry]),
  );
  for (const name of [page, SHARED_PAGE]) entries.set(name, await withLine(name, entries.get(name)));
  const tree = await git.writeTree({ fs, gitdir, tree: [...entries.values()] });
  const message = `Append a line\n\nRequest-Id: ${requestId}\n`;
  const commit = await git.commit({ fs, gitdir, ref: 'refs/heads/main', tree, message, author });
  return { requestId, kind: 'committed', commit, replays: 0 };
}

async function withLine(path: string, entry: TreeEntry | undefined): Promise<TreeEntry> {
  const text = entry ? (await git.readBlob({ fs, gitdir, oid: entry.oid })).blob : new Uint8Array();
  const blob = Buffer.concat([text, Buffer.from('the same line\n')]);
  return { mode: '100644', path, type: 'blob', oid: await git.writeBlob({ fs, gitdir, blob }) };
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
