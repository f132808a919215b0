import { createHash } from 'node:crypto';
import { WikiError } from './contract/errors.ts';
import type { CallInput, Output } from './contract/operations.ts';
import { parseInput } from './contract/parse-input.ts';
import type { Call, Wiki } from './contract/wiki.ts';
import { bundleHeader } from './formats/packs/bundle.ts';
import { packHeader } from './formats/packs/pack.ts';

/** A git bundle that is fetched while it is read. */
export interface DownloadedBundle {
  commit: string;
  /** The number of files at the commit. */
  files: number;
  parts: AsyncIterable<Uint8Array>;
}

/**
 * The newest commit of a wiki with its whole history as a git bundle, in as many calls as it takes: for a wiki in another
 * process, which gives so much in one call and no more. Throws `not_found` if there is no commit.
 */
export async function downloadBundle(
  wiki: Wiki,
  input: { wiki?: string | undefined },
  call: Call,
): Promise<DownloadedBundle> {
  const { commit, files } = await newestCommit(wiki, input, call);
  if (commit === null) throw nothingToExport();
  const { head } = await wiki.list_refs(input, call);
  const header = bundleHeader([
    { oid: commit, name: head },
    { oid: commit, name: 'HEAD' },
  ]);
  return { commit, files, parts: partsOf(header, wiki, { ...input, wants: [commit] }, call) };
}

async function newestCommit(wiki: Wiki, input: { wiki?: string | undefined }, call: Call) {
  let page: Output<'list_files'> = await wiki.list_files(input, call);
  let files = page.files.length;
  while (page.next_cursor !== null) {
    page = await wiki.list_files({ ...input, cursor: page.next_cursor }, call);
    files += page.files.length;
  }
  return { commit: page.commit, files };
}

async function* partsOf(
  header: Uint8Array,
  wiki: Wiki,
  asked: CallInput<'send_objects'>,
  { progress, ...call }: Call,
): AsyncIterable<Uint8Array> {
  yield header;
  const checksum = createHash('sha1');
  let bytes = 0;
  let cursor: string | null | undefined;
  while (cursor !== null) {
    let entries: Uint8Array = new Uint8Array();
    const takeBytes = (taken: Uint8Array) => {
      entries = taken;
    };
    const input = parseInput('send_objects', { ...asked, ...(cursor !== undefined && { cursor }) });
    const part = await wiki.send_objects(input, { ...call, takeBytes });
    if (cursor === undefined) {
      const head = packHeader(part.objects ?? 0);
      checksum.update(head);
      yield head;
    }
    checksum.update(entries);
    yield entries;
    bytes += entries.length;
    progress?.(bytes, 0, 'bytes are here');
    cursor = part.next_cursor;
  }
  yield checksum.digest();
}

function nothingToExport(): WikiError {
  return new WikiError('not_found', {
    happened: 'The wiki has no commit.',
    now: 'Nothing was exported.',
    next: 'Write a page first.',
  });
}
