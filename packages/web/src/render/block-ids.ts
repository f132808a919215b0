import type { Nodes } from 'mdast';

/** The id in a paragraph that is nothing but `^id`: it names the block before. Null for any other paragraph. */
export function blockIdAlone(node: Nodes): string | null {
  if (node.type !== 'paragraph') return null;
  const [only] = node.children;
  if (node.children.length !== 1 || only?.type !== 'text') return null;
  return ALONE.exec(only.value)?.[1] ?? null;
}

const ALONE = /^\s*\^([A-Za-z0-9-]+)\s*$/;
