import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';

/** The one style sheet of the pages, from the files in `site/style`, without what only people need. */
export async function readStylesheet(): Promise<string> {
  const folder = new URL('../../site/style/', import.meta.url);
  const parts = await Promise.all(PARTS.map((name) => readFile(new URL(`${name}.css`, folder), 'utf8')));
  const { code } = await transform(parts.join('\n'), { loader: 'css', minify: true });
  return code.trim();
}

/** In the order in which later ones count. */
const PARTS = [
  'base',
  'frame',
  'article',
  'rendered',
  'lists',
  'diff',
  'blame',
  'writing',
  'client',
  'graph',
  'login',
  'print',
];
