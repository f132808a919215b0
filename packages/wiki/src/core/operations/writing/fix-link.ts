import { WikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { inTurns } from '../../../scheduling/in-turns.ts';
import { mentionSteps } from '../../mentions/find-mentions.ts';
import { findPage, requirePage } from '../../pages/find-page.ts';
import { encodePage, readForChange } from '../../pages/page-content.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import type { Snapshot, TreeEntry } from '../../ports.ts';
import { asPlainText, leadTo, linkMention, type Replacement } from '../../relinking/fix-link.ts';
import type { Session } from '../../session.ts';
import { createLinkResolver, type LinkResolver } from '../../text/links/link-resolver.ts';
import type { Link } from '../../text/markdown/markdown.ts';
import { type MarkdownBlocks, scanBlocks } from '../../text/markdown/markdown-blocks.ts';
import { linkSteps } from '../../text/markdown/markdown-links.ts';
import { requireVersion } from '../../writing/conflicts.ts';
import { type Apply, describeWrite, landPage, preview } from '../../writing/write.ts';

export async function fixLink(session: Session, input: Input<'fix_link'>): Promise<Output<'fix_link'>> {
  const path = parsePagePath(input.path);
  const apply: Apply = async (base) => {
    const entry = await requirePage(base, path, session.index);
    await requireVersion(session, base, path, entry, input.version);
    const { text, bom } = await readForChange(base, path, entry);
    const target = input.to === undefined ? null : await targetOf(session, base, entry, input.to);
    const fixed = await (input.mention ? linked : replacements)(text, input, target);
    const message = input.message || `${input.mention ? 'Add' : 'Fix'} a link of ${path}`;
    const content = encodePage(path, applied(text, fixed), bom);
    return { message, files: [{ path: entry.path, content, mode: entry.mode }] };
  };
  const plan = { path, apply, content: 'kept' } as const;
  if (!input.dry_run) return landPage(session, 'fix_link', input, plan);
  return describeWrite(session, await preview(session, apply), path, 'kept');
}

/** Where a link of the page at the tree path `at` must lead. */
interface Target {
  at: string;
  /** The tree path of the page or file. */
  wanted: string;
  resolver: LinkResolver;
}

async function targetOf(
  { index }: Session,
  base: Snapshot,
  { path: at }: TreeEntry,
  to: string,
): Promise<Target> {
  const page = parsePagePath(to);
  const { path: wanted } =
    (await findPage(base, page)) ?? (await base.entry(to)) ?? (await requirePage(base, page, index));
  // There is a page, so there is a commit.
  const { treePaths, aliases } = await index.names(base.commit ?? '');
  return { at, wanted, resolver: createLinkResolver(treePaths, aliases) };
}

type Fixing = Pick<Input<'fix_link'>, 'path' | 'line' | 'target'>;

/** The links of the line with their new text; plain text if there is no target. */
async function replacements(text: string, asked: Fixing, target: Target | null): Promise<Replacement[]> {
  const links = (await inTurns(linkSteps(text))).filter(
    (link) => link.line === asked.line && link.target === asked.target,
  );
  if (links.length === 0) throw noSuchLink(asked, 'link to');
  const blocks = scanBlocks(text);
  const fixed = links.flatMap((link) => {
    const replaced =
      target === null
        ? asPlainText(link, text)
        : leadTo(link, text, { ...target, inHeading: isInHeading(link, blocks) });
    return replaced ?? [];
  });
  if (fixed.length < links.length) throw cannotBeWritten(asked, 'link to');
  return fixed;
}

/** The first mention on the line as a link. */
async function linked(text: string, asked: Fixing, target: Target | null): Promise<Replacement[]> {
  const mentions = await inTurns(mentionSteps(text, [asked.target], asked.line));
  const mention = mentions.find(({ start, end }) => text.slice(start, end) === asked.target);
  if (mention === undefined) throw noSuchLink(asked, 'mention of');
  const fixed = target && linkMention(mention, target);
  if (fixed === null) throw cannotBeWritten(asked, 'mention of');
  return [fixed];
}

function isInHeading({ start }: Link, { titles }: MarkdownBlocks): boolean {
  return titles.some((title) => title.start <= start && start < title.end);
}

function applied(text: string, fixed: readonly Replacement[]): string {
  let result = text;
  for (const { start, end, text: now } of fixed.toSorted((one, other) => other.start - one.start)) {
    result = result.slice(0, start) + now + result.slice(end);
  }
  return result;
}

function noSuchLink({ path, line, target }: Fixing, what: string): WikiError {
  return new WikiError(
    'no_match',
    {
      happened: `Line ${line} of ${JSON.stringify(path)} has no ${what} ${JSON.stringify(target)}.`,
      now: 'Nothing was changed.',
      next: 'Call check_wiki again: the page may have changed since.',
    },
    { path, line },
  );
}

function cannotBeWritten({ path, target }: Fixing, what: string): WikiError {
  return new WikiError(
    'no_match',
    {
      happened: `The ${what} ${JSON.stringify(target)} cannot be written so that only this is meant.`,
      now: 'Nothing was changed.',
      next: 'Edit the page instead.',
    },
    { path },
  );
}
