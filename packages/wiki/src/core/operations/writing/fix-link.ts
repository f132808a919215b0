import { WikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { inTurns } from '../../../scheduling/in-turns.ts';
import { findPage, requirePage } from '../../pages/find-page.ts';
import { encodePage, readForChange } from '../../pages/page-content.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import type { Snapshot, TreeEntry } from '../../ports.ts';
import { asPlainText, leadTo, type Replacement } from '../../relinking/fix-link.ts';
import type { Session } from '../../session.ts';
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
    const links = (await inTurns(linkSteps(text))).filter(
      ({ line, target }) => line === input.line && target === input.target,
    );
    if (links.length === 0) throw noSuchLink(path, input);
    const fixed = await replacements(session, base, { entry, text, links, to: input.to });
    if (fixed.length < links.length) throw cannotBeWritten(path, input);
    const message = input.message || `Fix a link of ${path}`;
    const content = encodePage(path, applied(text, fixed), bom);
    return { message, files: [{ path: entry.path, content, mode: entry.mode }] };
  };
  const plan = { path, apply, content: 'kept' } as const;
  if (!input.dry_run) return landPage(session, 'fix_link', input, plan);
  return describeWrite(session, await preview(session, apply), path, 'kept');
}

interface Fixing {
  entry: TreeEntry;
  text: string;
  links: readonly Link[];
  to: string | undefined;
}

/** The links with their new text; without those that cannot be written so. */
async function replacements(
  { index }: Session,
  base: Snapshot,
  { entry, text, links, to }: Fixing,
): Promise<Replacement[]> {
  if (to === undefined) return links.flatMap((link) => asPlainText(link, text) ?? []);
  const page = parsePagePath(to);
  const wanted =
    (await findPage(base, page)) ?? (await base.entry(to)) ?? (await requirePage(base, page, index));
  if (base.commit === null) return [];
  const names = await index.names(base.commit);
  const blocks = scanBlocks(text);
  return links.flatMap(
    (link) =>
      leadTo(link, text, {
        at: entry.path,
        wanted: wanted.path,
        names,
        inHeading: isInHeading(link, blocks),
      }) ?? [],
  );
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

function noSuchLink(path: string, { line, target }: Input<'fix_link'>): WikiError {
  return new WikiError(
    'no_match',
    {
      happened: `Line ${line} of ${JSON.stringify(path)} has no link to ${JSON.stringify(target)}.`,
      now: 'Nothing was changed.',
      next: 'Call check_wiki again: the page may have changed since.',
    },
    { path, line },
  );
}

function cannotBeWritten(path: string, { target }: Input<'fix_link'>): WikiError {
  return new WikiError(
    'no_match',
    {
      happened: `The link to ${JSON.stringify(target)} cannot be written so that only this is meant.`,
      now: 'Nothing was changed.',
      next: 'Edit the page instead.',
    },
    { path },
  );
}
