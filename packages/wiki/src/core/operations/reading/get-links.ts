import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { findPage } from '../../pages/find-page.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import { countThatFits, shortened } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';

export async function getLinks(
  { repository, index, call }: Session,
  input: Input<'get_links'>,
): Promise<Output<'get_links'>> {
  const path = parsePagePath(input.path);
  const head = await repository.head();
  const exists = (await findPage(head, path)) !== null || (await head.entry(path)) !== null;
  if (head.commit !== null) await index.catchUp(head.commit, call.progress, call.signal);
  const links =
    head.commit === null
      ? { linksTo: [], files: [], linkedFrom: [], broken: [], leavesOutLinks: false }
      : await index.links(head.commit, path, call.signal);
  const linkedFrom = [...new Set(links.linkedFrom.map((link) => link.path))];

  // Four lists share one reply: each may have a quarter of it.
  const links_to = fitQuarter(links.linksTo);
  const attachments = fitQuarter(links.files);
  const linked_from = fitQuarter(linkedFrom);
  const named = links.broken.map(({ target, line }) => ({
    target: shortened(target, MAX_TARGET_CHARACTERS),
    line,
  }));
  const broken = fitQuarter(named);
  const truncated =
    links.leavesOutLinks ||
    links_to.length < links.linksTo.length ||
    attachments.length < links.files.length ||
    linked_from.length < linkedFrom.length ||
    broken.length < links.broken.length ||
    links.broken.some(({ target }) => target.length > MAX_TARGET_CHARACTERS);
  return { path, exists, links_to, attachments, linked_from, broken, truncated };
}

function fitQuarter<Row>(rows: readonly Row[]): Row[] {
  return rows.slice(0, countThatFits(rows, 30_500));
}

/** No existing target is longer. */
const MAX_TARGET_CHARACTERS = limits.pathCharacters;
