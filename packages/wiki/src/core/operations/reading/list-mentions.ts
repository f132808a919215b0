import { throwIfCancelled } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { liesIn } from '../../../contract/scope.ts';
import { inTurns } from '../../../scheduling/in-turns.ts';
import { type Mention, mentionSteps } from '../../mentions/find-mentions.ts';
import { findPage, requirePage } from '../../pages/find-page.ts';
import { lastPartOf, parsePagePath } from '../../paths/page-path.ts';
import type { Snapshot, TreeEntry } from '../../ports.ts';
import { countThatFits } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';
import { aliasesOf, readFrontmatter } from '../../text/frontmatter/frontmatter.ts';
import { blockSteps } from '../../text/markdown/markdown-blocks.ts';
import { titleOf } from '../../text/markdown/page-facts.ts';
import { decodeText } from '../../text/text-encoding.ts';
import { compareText } from '../../text/text-order.ts';

export async function listMentions(
  { repository, index, call }: Session,
  input: Input<'list_mentions'>,
): Promise<Output<'list_mentions'>> {
  const path = parsePagePath(input.path);
  const head = await repository.head();
  const entry = await requirePage(head, path, index);
  if (head.commit === null) return { path, mentions: [], truncated: false };
  const names = await namesOf(head, path, entry);
  const naming = await index.pagesNaming(head.commit, names, MAX_NAMING);
  const { scope } = call;
  // A mention where the caller may change nothing is of no use.
  const pages = naming
    .filter((page) => page !== path && (scope === undefined || liesIn(scope.write, page)))
    .sort(compareText);
  const mentions: Output<'list_mentions'>['mentions'] = [];
  let bytesLeft = MAX_BYTES_READ;
  let examined = 0;
  for (const page of pages.slice(0, MAX_PAGES)) {
    throwIfCancelled(call.signal);
    const found = await findPage(head, page);
    bytesLeft -= found === null ? 0 : await head.size(found.oid);
    if (bytesLeft < 0) break;
    examined += 1;
    if (found !== null) mentions.push(...(await mentionsOn(head, page, found, names)));
  }
  const shown = Math.min(MAX_MENTIONS, countThatFits(mentions));
  const truncated = naming.length === MAX_NAMING || examined < pages.length || shown < mentions.length;
  return { path, mentions: mentions.slice(0, shown), truncated };
}

const MAX_PAGES = 50;
/** The page itself, and one that is too many. */
const MAX_NAMING = MAX_PAGES + 2;
const MAX_BYTES_READ = 5_000_000;
const MAX_MENTIONS = 50;

async function namesOf(head: Snapshot, path: string, entry: TreeEntry): Promise<string[]> {
  const { text } = decodeText(await head.blob(entry.oid));
  const { frontmatter, headings } = await inTurns(blockSteps(text));
  const { data } = readFrontmatter(text, frontmatter);
  return [
    ...new Set([titleOf(path, data, headings), lastPartOf(path), ...aliasesOf(data).slice(0, MAX_ALIASES)]),
  ];
}

const MAX_ALIASES = 20;

/** The first mention on each line. */
async function mentionsOn(head: Snapshot, path: string, { oid }: TreeEntry, names: readonly string[]) {
  const { text, valid } = decodeText(await head.blob(oid));
  // A page that is not UTF-8 cannot be changed.
  const mentions = valid ? await inTurns(mentionSteps(text, names)) : [];
  const lines = new Map<number, Mention>();
  for (const mention of mentions) if (!lines.has(mention.line)) lines.set(mention.line, mention);
  return [...lines.values()].map(({ start, end, line }) => ({
    path,
    version: oid,
    line,
    text: text.slice(start, end),
    before: restBefore(text, start),
    after: restAfter(text, end),
  }));
}

function restBefore(text: string, start: number): string {
  const rest = text.slice(Math.max(text.lastIndexOf('\n', start - 1) + 1, start - MAX_REST), start);
  return rest.toWellFormed().trimStart();
}

function restAfter(text: string, end: number): string {
  const [rest = ''] = text.slice(end, end + MAX_REST).split('\n', 1);
  return rest.toWellFormed().trimEnd();
}

const MAX_REST = 120;
