import type { Oid } from '../../contract/ids.ts';
import { limits } from '../../contract/limits.ts';
import type { Output } from '../../contract/operations.ts';
import { yielding } from '../../scheduling/yielding.ts';
import { missingPage } from '../checking/link-suggestions.ts';
import type { Index } from '../index-port.ts';
import { pagePathOf } from '../paths/page-path.ts';
import type { Snapshot } from '../ports.ts';
import { serializedLength } from '../reply-budget.ts';
import { nameKeysOf } from '../text/links/link-names.ts';
import { createLinkResolver } from '../text/links/link-resolver.ts';
import { textOfLink } from '../text/links/link-text.ts';
import type { Link } from '../text/markdown/markdown.ts';
import type { PageFacts } from '../text/markdown/page-facts.ts';
import { imageSizes } from './image-sizes.ts';

type ViewedLink = Output<'preview_page'>['links'][number];

/**
 * Each link as it is written, once, with what it leads to as of `commit`. Links of an old version lead where they would
 * lead today: that is what a reader can open.
 */
export async function viewedLinks(
  links: readonly Link[],
  text: string,
  { index, commit, from }: { index: Index; commit: Oid | null; from: string },
): Promise<ViewedLink[]> {
  if (links.length === 0) return [];
  const yieldIfDue = yielding();
  const names = new Set<string>();
  for (const link of links) {
    await yieldIfDue();
    for (const name of nameKeysOf(link)) names.add(name);
  }
  const known = commit === null ? null : await index.namesLike(commit, [...names]);
  const resolver = createLinkResolver(known?.treePaths ?? [], known?.aliases ?? []);
  const byText = new Map<string, ViewedLink>();
  for (const link of links) {
    await yieldIfDue();
    const written = textOfLink(link, text);
    if (byText.has(written)) continue;
    const led = resolver.resolve(link, from);
    const page = led === null ? null : pagePathOf(led.path);
    const file = led === null || page !== null ? null : led.path;
    const missing = led === null ? missingPage(link, from) : undefined;
    const viewed = { written, page, file, anchor: led?.anchor ?? null };
    byText.set(written, missing === undefined ? viewed : { ...viewed, missing });
  }
  return [...byText.values()];
}

/** The links, those to images with their sizes. A file that moved since has that of today. */
export async function withSizes(links: ViewedLink[], snapshots: readonly Snapshot[]): Promise<ViewedLink[]> {
  const sizes = await imageSizes(
    links.flatMap(({ file }) => file ?? []),
    snapshots,
  );
  if (sizes.size === 0) return links;
  return links.map((link) => ({ ...link, size: sizes.get(link.file ?? '') }));
}

/** The frontmatter in a size that can be shown, with what has to be said about it. */
export function shownFrontmatter({ frontmatter, frontmatterProblem }: PageFacts) {
  const notes: string[] = [];
  if (frontmatterProblem !== null) {
    const { line, reason } = frontmatterProblem;
    notes.push(`The frontmatter is no valid YAML (line ${line}: ${reason}).`);
  }
  const isLong = serializedLength(frontmatter) > limits.replyCharacters;
  if (isLong) notes.push('The frontmatter is too long to be shown apart.');
  return { frontmatter: isLong ? {} : frontmatter, notes };
}
