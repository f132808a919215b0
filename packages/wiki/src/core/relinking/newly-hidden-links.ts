import { inBatches } from '../../scheduling/in-batches.ts';
import { inTurns } from '../../scheduling/in-turns.ts';
import { pagePathOf } from '../paths/page-path.ts';
import type { Snapshot } from '../ports.ts';
import { textOfLink } from '../text/links/link-text.ts';
import { hiddenLinks } from '../text/markdown/hidden-links.ts';
import type { Link } from '../text/markdown/markdown.ts';
import { shadowedDefinitions } from '../text/markdown/shadowed-definitions.ts';
import { decodeText } from '../text/text-encoding.ts';
import { pagesOfRuns, type Run } from '../text/text-runs.ts';

/** A link whose text stayed in place but is no longer a link, or a definition that now follows another of its label. */
export interface HiddenLink {
  link: Link;
  /** True for a definition that another one of its label now precedes; false for what is text now. */
  isShadowed: boolean;
  /** The definition that counts now; null if there is none. */
  by: Link | null;
  written: string;
  /** The tree paths of its page, before and after the change. */
  from: string;
  page: string;
}

/** The links that a change hides on pages that it wrote in part. */
export async function findHiddenLinks(tree: {
  before: Snapshot;
  after: Snapshot;
  paths: readonly string[];
  runsAt(path: string): readonly Run[] | { comparedWith: string };
}): Promise<HiddenLink[]> {
  const found = await inBatches(tree.paths, async (page) => {
    const entry = pagePathOf(page) === null ? null : await tree.after.entry(page);
    if (entry === null) return [];
    const runs = tree.runsAt(page);
    const sources = 'comparedWith' in runs ? [runs.comparedWith] : pagesOfRuns(runs);
    const hidden = await inBatches(sources, async (from): Promise<HiddenLink[]> => {
      const source = await tree.before.entry(from);
      if (source === null || source.oid === entry.oid) return [];
      const before = decodeText(await tree.before.blob(source.oid)).text;
      const after = decodeText(await tree.after.blob(entry.oid)).text;
      const kept = 'comparedWith' in runs ? null : { from, runs };
      const links = await inTurns(hiddenLinks(before, after, kept));
      const shadowed = await inTurns(shadowedDefinitions(before, after));
      const describe = (link: Link) => ({ link, written: textOfLink(link, before), from, page });
      return [
        ...links.map((link) => ({ ...describe(link), isShadowed: false, by: null })),
        ...shadowed.map(({ link, by }) => ({ ...describe(link), isShadowed: true, by })),
      ];
    });
    return hidden.flat();
  });
  return found.flat();
}
