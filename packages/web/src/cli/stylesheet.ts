import { readFile } from 'node:fs/promises';

/** The one style sheet of the pages, from the files in `site/style`. */
export async function readStylesheet(): Promise<string> {
  const folder = new URL('../site/style/', import.meta.url);
  const parts = await Promise.all(PARTS.map((name) => readFile(new URL(`${name}.css`, folder), 'utf8')));
  return parts.join('\n');
}

/** In the order in which later ones count. */
const PARTS = ['base', 'frame', 'article', 'rendered', 'lists', 'diff', 'blame', 'client', 'print'];
