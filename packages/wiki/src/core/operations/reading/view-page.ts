import type { Oid } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { inBatches } from '../../../scheduling/in-batches.ts';
import { inTurns } from '../../../scheduling/in-turns.ts';
import { yielding } from '../../../scheduling/yielding.ts';
import type { Index } from '../../index-port.ts';
import { openConflictOf } from '../../merging/open-conflicts.ts';
import { definitionsFor } from '../../pages/definitions-for.ts';
import { findPage, pageMissing, pageNotFound } from '../../pages/find-page.ts';
import { levelsAround } from '../../pages/folder-names.ts';
import { presentPath } from '../../pages/present-path.ts';
import { requireAnchor } from '../../pages/sections.ts';
import { shownFrontmatter, viewedLinks, withSizes } from '../../pages/viewed-parts.ts';
import { pagePathOf, parsePagePath } from '../../paths/page-path.ts';
import type { Snapshot, TreeEntry } from '../../ports.ts';
import { shortened } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';
import { blockSteps } from '../../text/markdown/markdown-blocks.ts';
import { factSteps } from '../../text/markdown/page-facts.ts';
import { decodeText } from '../../text/text-encoding.ts';

type Viewed = NonNullable<Output<'view_page'>['page']>;

export async function viewWholePage(
  { repository, index, call }: Session,
  input: Input<'view_page'>,
): Promise<Output<'view_page'>> {
  const path = parsePagePath(input.path);
  const head = await repository.head();
  if (head.commit === null) throw pageNotFound(path);
  if (input.known === head.commit) return { commit: head.commit, page: null };
  const isPast = input.at !== undefined;
  const snapshot = isPast ? await repository.at(await repository.resolveCommit(input.at ?? '')) : head;
  const entry =
    (await findPage(snapshot, path)) ??
    (await sayWhereItWent(index, call, { head: head.commit, snapshot, path, isPast }));
  const { text, valid } = decodeText(await snapshot.blob(entry.oid));
  const facts = await inTurns(factSteps(path, text));
  const content = input.anchor === undefined ? text : await partOf(path, entry, text, input.anchor);

  await index.catchUp(head.commit, call.progress, call.signal);
  const isPart = input.anchor !== undefined;
  const since = snapshot.commit ?? head.commit;
  const conflict = isPast || isPart ? null : await openConflictOf({ repository, index }, head, path);
  const [links, linkedFrom, last_change, path_now] = await Promise.all([
    viewedLinks(facts.links, text, { index, commit: head.commit, from: entry.path }).then((found) =>
      withSizes(found, isPast ? [snapshot, head] : [head]),
    ),
    isPast || isPart ? [] : index.links(head.commit, path).then((found) => found.linkedFrom),
    isPart ? null : lastChange(index, since, path),
    isPast && !isPart ? presentPath(index, head, { path, since }) : path,
  ]);
  const around = isPart ? undefined : await levelsAround(head, path_now ?? path);
  const shown = shownFrontmatter(facts);
  return {
    commit: since,
    page: {
      path: pagePathOf(entry.path) ?? path,
      title: facts.title,
      version: entry.oid,
      content,
      frontmatter: shown.frontmatter,
      tags: facts.tags,
      links,
      linked_from: await withTheirLines(head, linkedFrom.slice(0, MAX_LINKED_FROM)),
      linked_from_total: linkedFrom.length,
      last_change,
      path_now,
      around,
      ...(conflict && { theirs_commit: conflict.theirs.commit }),
      notes: [...(valid ? [] : [NOT_UTF8]), ...shown.notes],
    },
  };
}

/** Throws `not_found`. Waits for the index: it alone knows where the page has gone. */
async function sayWhereItWent(
  index: Index,
  call: Session['call'],
  { head, snapshot, path, isPast }: { head: Oid; snapshot: Snapshot; path: string; isPast: boolean },
): Promise<never> {
  await index.catchUp(head, call.progress, call.signal);
  throw await pageMissing(snapshot, path, index, isPast);
}

async function partOf(path: string, entry: TreeEntry, text: string, anchor: string): Promise<string> {
  const blocks = await inTurns(blockSteps(text));
  const part = requireAnchor(path, entry, text, blocks, anchor);
  return text.slice(part.start, part.end) + definitionsFor(text, blocks, part);
}

/** The lines that hold the links. Reads each page once and keeps only these lines of it. */
async function withTheirLines(
  head: Snapshot,
  linkedFrom: readonly { path: string; line: number }[],
): Promise<Viewed['linked_from']> {
  const byPath = Map.groupBy(linkedFrom, ({ path }) => path);
  const yieldIfDue = yielding();
  const texts = new Map<string, string>();
  await inBatches([...byPath], async ([path, links]) => {
    const entry = await findPage(head, path);
    if (entry === null) return;
    const { text } = decodeText(await head.blob(entry.oid));
    await yieldIfDue();
    for (const [line, shown] of linesAt(text, new Set(links.map(({ line }) => line)))) {
      texts.set(`${line} ${path}`, shown);
    }
  });
  return linkedFrom.map(({ path, line }) => ({ path, line, text: texts.get(`${line} ${path}`) ?? '' }));
}

/**
 * Some lines of a text by their numbers, shortened. A page may be two million line breaks, so it is not
 * split.
 */
function* linesAt(text: string, wanted: ReadonlySet<number>): Generator<[line: number, text: string]> {
  const last = Math.max(...wanted);
  let start = 0;
  for (let line = 1; line <= last && start <= text.length; line += 1) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    if (wanted.has(line)) yield [line, lineOf(text, start, stop)];
    start = stop + 1;
  }
}

function lineOf(text: string, start: number, stop: number): string {
  // Leading blanks are trimmed, so that they do not use up the shown characters.
  const line = text.slice(start, Math.min(stop, start + MAX_LINE_CHARACTERS * 10));
  // A copy: a substring keeps the whole string in memory.
  return Buffer.from(shortened(line.trim(), MAX_LINE_CHARACTERS)).toString();
}

async function lastChange(index: Index, commit: Oid, path: string): Promise<Viewed['last_change']> {
  const { entries } = await index.history({ commit, path, offset: 0, limit: 1, pagesMost: 1 });
  const last = entries[0]?.commit;
  if (last === undefined) return null;
  return {
    commit: last.oid,
    author: last.author.name,
    agent: last.agent,
    date: last.author.date.toISOString(),
    message: last.message.slice(0, limits.messageCharacters),
  };
}

const NOT_UTF8 = 'The page is not UTF-8: what cannot be read is shown as \uFFFD.';
const MAX_LINKED_FROM = 100;
const MAX_LINE_CHARACTERS = 300;
