import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openWiki } from '../../src/open-wiki.ts';

/**
 * A process that asks the index of a wiki over and over: `write` writes a page and must find it in the next
 * search, `build` makes the index and its snapshot from nothing. Each round is reported as a line.
 */
const [directory = '', workDirectory = '', name = '', task = '', rounds = ''] = process.argv.slice(2);
const call = { caller: { author: { name, email: `${name}@example.org` }, agent: null } };

async function open() {
  const host = { backend: 'local', versions: {}, problems: [] };
  return openWiki({ directory, wiki: 'main', placement: 'local', workDirectory, host });
}

async function write({ wiki }: Awaited<ReturnType<typeof open>>, round: number): Promise<void> {
  const path = `${name} ${round}`;
  const word = `word${name}${round}`;
  await wiki.write_page({ path, content: `# ${word}\n\nSee [[Page 1]].\n`, allow_shrink: false }, call);
  const { hits } = await wiki.search_pages({ query: word, mode: 'words', context_lines: 0, limit: 5 }, call);
  const { entries } = await wiki.get_history({ path, limit: 5 }, call);
  const { linked_from } = await wiki.get_links({ path: 'Page 1' }, call);
  if (hits[0]?.path !== path || entries.length !== 1 || !linked_from.includes(path)) {
    throw new Error(`${path} was written, and the index does not know it.`);
  }
}

let opened = await open();
for (let round = 0; round < Number(rounds); round++) {
  if (task === 'write') await write(opened, round);
  else {
    await rm(join(directory, 'main.git', 'pagetree', 'index'), { recursive: true, force: true });
    await opened.wiki.list_pages({ sort: 'path', limit: 1 }, call);
    await opened.close();
    opened = await open();
  }
  process.stdout.write(`${round}\n`);
}
await opened.close();
