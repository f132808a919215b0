import type { Nodes, PhrasingContent } from 'mdast';
import type { WikiSpan } from './wiki-spans.ts';

/** Makes `==text==` of marks that belong together, and text of those that stand alone. */
export function pairMarks(children: Nodes[], spans: ReadonlyMap<Nodes, WikiSpan>): Nodes[] {
  if (!children.some((child) => spans.get(child)?.kind === 'mark')) return children;
  const paired: Nodes[] = [];
  let opening = -1;
  for (const child of children) {
    const span = spans.get(child);
    if (span?.kind !== 'mark') {
      paired.push(child);
    } else if (opening !== -1 && span.closes && opening < paired.length - 1) {
      const marked = paired.splice(opening) as PhrasingContent[];
      paired.push({ type: 'emphasis', children: marked.slice(1), data: { hName: 'mark' } });
      opening = -1;
    } else {
      if (span.opens) opening = paired.length;
      paired.push({ type: 'text', value: '==' });
    }
  }
  return paired;
}
