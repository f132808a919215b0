import { WikiError } from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { mayLeaveAsFile } from '../../paths/hostile-path.ts';
import type { Repository, Snapshot } from '../../ports.ts';
import type { Session } from '../../session.ts';
import type { ArchivedFile } from '../../transfer/archive.ts';
import { contentOf } from '../../writing/given-content.ts';

/** Returns a folder as a zip too: the client unpacks it. */
export async function exportWiki(
  { repository, call, host }: Session,
  input: Input<'export_wiki'>,
): Promise<Output<'export_wiki'>> {
  const snapshot =
    input.at === undefined
      ? await repository.head()
      : await repository.at(await repository.resolveCommit(input.at));
  const { paths, leftOut } = await pathsOf(snapshot, input.format);
  const most = host.attachmentBytes ?? limits.exportBytes;
  const content = await pack(repository, snapshot, input, call, { files: paths.length, most });
  if (content.length > most) throw exportTooLarge(content.length, most);
  return {
    wiki: repository.name,
    commit: snapshot.commit,
    format: input.format,
    files: paths.length,
    size: content.length,
    left_out: leftOut.slice(0, NAMED),
    left_out_total: leftOut.length,
    content: contentOf(content, call),
    saved_to: null,
  };
}

/** A bundle holds everything in the history. Git checks it when it is cloned. */
async function pathsOf(snapshot: Snapshot, format: Input<'export_wiki'>['format']) {
  const paths: string[] = [];
  const leftOut: string[] = [];
  for await (const { path } of snapshot.files()) {
    (format === 'bundle' || mayLeaveAsFile(path) ? paths : leftOut).push(path);
  }
  if (format !== 'bundle') for await (const path of snapshot.quarantined()) leftOut.push(path);
  return { paths, leftOut };
}

const NAMED = 20;

async function pack(
  repository: Repository,
  snapshot: Snapshot,
  { format }: Input<'export_wiki'>,
  call: Session['call'],
  { files, most }: { files: number; most: number },
): Promise<Uint8Array> {
  if (format === 'bundle') return repository.bundle(snapshot.commit, call, most);
  const date = snapshot.commit === null ? new Date(0) : (await repository.commit(snapshot.commit)).committed;
  const { writeArchive } = await import('../../transfer/archive.ts');
  const onBytes = (bytes: number) => {
    if (bytes > most) throw exportTooLarge(bytes, most);
  };
  return writeArchive(filesOf(snapshot, call, files), {
    date,
    expectedBytes: most,
    signal: call.signal,
    onBytes,
  });
}

/** @param bytes The size of the export, or the size that it would exceed. */
function exportTooLarge(bytes: number, most: number): WikiError {
  return new WikiError(
    'too_large',
    {
      happened: `The export has ${bytes} bytes or more; this backend gives at most ${most} in one call.`,
      now: 'Nothing was exported.',
      next: 'Export one folder after the other, each by a server that is limited to it (`--scope FOLDER`), or ask the person who runs the wiki to clone its repository with `git clone --bare` where its files are; for a wiki on AWS docs/deploy.md says how, under "Mount the wikis by hand".',
    },
    { bytes, most },
  );
}

async function* filesOf(
  snapshot: Snapshot,
  call: Session['call'],
  total: number,
): AsyncIterable<ArchivedFile> {
  let done = 0;
  let bytes = 0;
  for await (const { path, oid } of snapshot.files()) {
    if (!mayLeaveAsFile(path)) continue;
    const content = await snapshot.blob(oid);
    bytes += content.length;
    if (bytes > limits.exportBytes) throw exportTooLarge(bytes, limits.exportBytes);
    yield { path, content };
    done += 1;
    call.progress?.(done, total, 'packing');
  }
}
