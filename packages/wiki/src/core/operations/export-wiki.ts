import { limits } from '../../contract/limits.ts';
import type { Input, Output } from '../../contract/operations.ts';
import type { ArchivedFile } from '../archive.ts';
import { contentTooLarge } from '../given-content.ts';
import type { Repository, Snapshot } from '../ports.ts';
import type { Session } from '../session.ts';

/** A folder comes as a zip too: whoever asked unpacks it. */
export async function exportWiki(
  { repository, call, host }: Session,
  input: Input<'export_wiki'>,
): Promise<Output<'export_wiki'>> {
  const snapshot =
    input.at === undefined
      ? await repository.head()
      : await repository.at(await repository.resolveCommit(input.at));
  const paths: string[] = [];
  for await (const entry of snapshot.files()) paths.push(entry.path);
  const most = host.attachmentBytes ?? limits.importBytes;
  const content = await pack(repository, snapshot, input, call, paths.length);
  if (content.length > most) throw contentTooLarge('The export', content.length, most);
  return {
    wiki: repository.name,
    commit: snapshot.commit,
    format: input.format,
    files: paths.length,
    size: content.length,
    content: Buffer.from(content).toString('base64'),
    saved_to: null,
  };
}

async function pack(
  repository: Repository,
  snapshot: Snapshot,
  { format }: Input<'export_wiki'>,
  call: Session['call'],
  total: number,
): Promise<Uint8Array> {
  if (format === 'bundle') return repository.bundle(snapshot.commit, call);
  const date = snapshot.commit === null ? new Date(0) : (await repository.commit(snapshot.commit)).committed;
  const { writeArchive } = await import('../archive.ts');
  return writeArchive(filesOf(snapshot, call, total), { date, signal: call.signal });
}

async function* filesOf(
  snapshot: Snapshot,
  call: Session['call'],
  total: number,
): AsyncIterable<ArchivedFile> {
  let done = 0;
  for await (const { path, oid } of snapshot.files()) {
    yield { path, content: await snapshot.blob(oid) };
    done += 1;
    call.progress?.(done, total, 'packing');
  }
}
