import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { PART_BYTES } from '../../../contract/uploads/content-reference.ts';
import { mayLeaveAsFile } from '../../paths/hostile-path.ts';
import type { Snapshot } from '../../ports.ts';
import type { Session } from '../../session.ts';
import type { ArchivedFile } from '../../transfer/archive.ts';
import { exportTooLarge } from '../../transfer/export-too-large.ts';
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
  const date = snapshot.commit === null ? new Date(0) : (await repository.commit(snapshot.commit)).committed;
  const part =
    input.part_from === undefined ? null : { from: input.part_from, bytes: Math.min(PART_BYTES, most) };
  const files = new ExportedFiles(snapshot, call, { total: paths.length, part });
  const content =
    input.format === 'bundle'
      ? await repository.bundle(snapshot.commit, call, most)
      : await zipOf(files, { date, most, signal: call.signal });
  if (content.length > most) throw exportTooLarge(content.length, most);
  return {
    wiki: repository.name,
    commit: snapshot.commit,
    format: input.format,
    files: paths.length,
    ...(part !== null && { next_part: files.next, date: date.toISOString() }),
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

async function zipOf(
  files: ExportedFiles,
  { date, most, signal }: { date: Date; most: number; signal: AbortSignal | undefined },
): Promise<Uint8Array> {
  const { writeArchive } = await import('../../transfer/archive.ts');
  const onBytes = (bytes: number) => {
    if (bytes > most) throw exportTooLarge(bytes, most);
  };
  return writeArchive(files, { date, expectedBytes: most, signal, onBytes });
}

/** All files of a snapshot, or a part of them. */
class ExportedFiles implements AsyncIterable<ArchivedFile> {
  /** The number of files after which the next part begins. Null if there is none. */
  next: number | null = null;
  readonly #snapshot: Snapshot;
  readonly #call: Session['call'];
  readonly #total: number;
  readonly #part: Part | null;

  constructor(
    snapshot: Snapshot,
    call: Session['call'],
    { total, part }: { total: number; part: Part | null },
  ) {
    this.#snapshot = snapshot;
    this.#call = call;
    this.#total = total;
    this.#part = part;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<ArchivedFile> {
    const { overheadOf } = await import('../../transfer/archive.ts');
    const part = this.#part;
    let done = 0;
    let bytes = 0;
    let zipBytes = 0;
    for await (const { path, oid } of this.#snapshot.files()) {
      if (!mayLeaveAsFile(path)) continue;
      if (part === null || done >= part.from) {
        const content = await this.#snapshot.blob(oid);
        bytes += content.length;
        zipBytes += content.length + overheadOf(path);
        // A part has one file at least.
        if (part !== null && zipBytes > part.bytes && done > part.from) {
          this.next = done;
          return;
        }
        if (bytes > limits.exportBytes) throw exportTooLarge(bytes, limits.exportBytes);
        yield { path, content };
      }
      done += 1;
      this.#call.progress?.(done, this.#total, 'packing');
    }
  }
}

interface Part {
  /** The number of files before it. */
  from: number;
  /** The most bytes of its zip, unless one file has more. */
  bytes: number;
}
