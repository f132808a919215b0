import type { Input, Output } from '../../contract/operations.ts';
import { parsePagePath } from '../page-path.ts';
import { findPage } from '../pages.ts';
import { countThatFits } from '../reply-budget.ts';
import type { Session } from '../session.ts';

export async function getLinks(
  { repository, index }: Session,
  input: Input<'get_links'>,
): Promise<Output<'get_links'>> {
  const path = parsePagePath(input.path);
  const head = await repository.head();
  const exists = (await findPage(head, path)) !== null || (await head.entry(path)) !== null;
  const links =
    head.commit === null
      ? { linksTo: [], files: [], linkedFrom: [], broken: [] }
      : await index.links(head.commit, path);
  const linkedFrom = [...new Set(links.linkedFrom.map((link) => link.path))];

  // Four lists share one reply: each may have a quarter of it.
  const links_to = fitQuarter(links.linksTo);
  const attachments = fitQuarter(links.files);
  const linked_from = fitQuarter(linkedFrom);
  const broken = fitQuarter(links.broken);
  const truncated =
    links_to.length < links.linksTo.length ||
    attachments.length < links.files.length ||
    linked_from.length < linkedFrom.length ||
    broken.length < links.broken.length;
  return { path, exists, links_to, attachments, linked_from, broken, truncated };
}

function fitQuarter<Row>(rows: readonly Row[]): Row[] {
  return rows.slice(0, countThatFits(rows, 30_500));
}
