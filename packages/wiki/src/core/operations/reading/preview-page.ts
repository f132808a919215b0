import type { Oid } from '../../../contract/ids.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { inTurns } from '../../../scheduling/in-turns.ts';
import { findPage, placeForPage } from '../../pages/find-page.ts';
import { encodePage } from '../../pages/page-content.ts';
import { shownFrontmatter, viewedLinks, withSizes } from '../../pages/viewed-parts.ts';
import { pagePathOf, parsePagePath } from '../../paths/page-path.ts';
import type { Snapshot, TreeEntry } from '../../ports.ts';
import type { Session } from '../../session.ts';
import { factSteps } from '../../text/markdown/page-facts.ts';
import { decodeText } from '../../text/text-encoding.ts';
import { mergeMarked } from '../../text/three-way/merge-text.ts';

export async function previewPage(
  { repository, index, call }: Session,
  input: Input<'preview_page'>,
): Promise<Output<'preview_page'>> {
  const path = parsePagePath(input.path);
  const ours = encodePage(path, input.content);
  const head = await repository.head();
  const entry = await findPage(head, path);
  const from = entry?.path ?? (await placeForPage(head, path));
  const facts = await inTurns(factSteps(path, input.content));
  if (head.commit !== null) await index.catchUp(head.commit, call.progress, call.signal);
  return {
    commit: head.commit,
    path: pagePathOf(from) ?? path,
    title: facts.title,
    tags: facts.tags,
    links: await withSizes(
      await viewedLinks(facts.links, input.content, { index, commit: head.commit, from }),
      [head],
    ),
    ...shownFrontmatter(facts),
    version: entry?.oid ?? null,
    merged:
      entry === null || input.base === undefined ? null : await mergedText(head, entry, ours, input.base),
  };
}

/** The text merged into what the page says now; null if it has not changed since `base`. */
async function mergedText(
  head: Snapshot,
  entry: TreeEntry,
  ours: Uint8Array,
  base: Oid,
): Promise<Output<'preview_page'>['merged']> {
  if (entry.oid === base) return null;
  const [before, theirs] = (await Promise.all([head.blob(base), head.blob(entry.oid)])).map(decodeText);
  // Text that is not UTF-8 must never be written back.
  if (!before?.valid || !theirs?.valid) return null;
  const merged = mergeMarked(Buffer.from(before.text), ours, Buffer.from(theirs.text), {
    ours: 'yours',
    theirs: 'theirs',
  });
  return merged && { content: Buffer.from(merged.text).toString('utf8'), conflicts: merged.conflicts };
}
