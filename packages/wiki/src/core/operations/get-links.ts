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
  const exists = (await findPage(head, path)) !== null;
  const links =
    head.commit === null ? { linksTo: [], linkedFrom: [], broken: [] } : await index.links(head.commit, path);
  const linkedFrom = [...new Set(links.linkedFrom.map((link) => link.path))];

  // Three lists share one reply: each may have a third of it.
  const links_to = fitThird(links.linksTo);
  const linked_from = fitThird(linkedFrom);
  const broken = fitThird(links.broken);
  const truncated =
    links_to.length < links.linksTo.length ||
    linked_from.length < linkedFrom.length ||
    broken.length < links.broken.length;
  return { path, exists, links_to, linked_from, broken, truncated };
}

function fitThird<Row>(rows: readonly Row[]): Row[] {
  return rows.slice(0, countThatFits(rows, 28_000));
}
