import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWiki } from '../../../src/open-wiki.ts';

/**
 * A client of nfs-lab. `fill` makes a wiki of so many pages; `build` makes its index and then a snapshot from
 * nothing, and says when each is done; `ask` prints whether it had to build the index, writes one page more, and must
 * find it and all others.
 */
const [task = '', number = ''] = process.argv.slice(2);
const call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
const directory = '/mnt/efs';
if (task === 'build') {
  await rm(join(directory, 'main.git', 'pagetree', 'index'), { recursive: true, force: true });
}
const { wiki, close } = await openWiki({
  directory,
  wiki: 'main',
  placement: 'shared',
  workDirectory: mkdtempSync(join(tmpdir(), 'index-')),
  host: { backend: 'lab', versions: {}, problems: [] },
});

if (task === 'fill') {
  for (let first = 0; first < Number(number); first += 100) {
    const changes = Array.from({ length: 100 }, (_, at) => ({
      op: 'write' as const,
      path: `Folder ${at % 10}/Page ${first + at}`,
      content: `# Page ${first + at}\n\nA template, see [[Home]].\n\n${longText(first + at)}\n`,
    }));
    await wiki.commit_changes({ message: 'Fill', changes, dry_run: false }, call);
  }
}
if (task === 'build') {
  await wiki.list_pages({ sort: 'path', limit: 1 }, call);
  process.stdout.write('built\n');
}
if (task === 'ask') process.stdout.write(JSON.stringify(await ask(`Asked ${number}`, Number(number))));
await close();
if (task === 'build') process.stdout.write('saved\n');

async function ask(path: string, round: number) {
  let reported = 0;
  const content = `# ${path}\n\nThe word asked${round}, see [[Home]].\n`;
  const progress = () => {
    reported += 1;
  };
  // Before the write, which would build the index as well, and reports no progress of that.
  await wiki.list_pages({ sort: 'path', limit: 1 }, { ...call, progress });
  await wiki.write_page({ path, content, allow_shrink: false }, call);
  const query = { query: `asked${round}`, mode: 'words' as const, context_lines: 0, limit: 5 };
  const { hits } = await wiki.search_pages(query, call);
  assert.deepEqual(
    hits.map((hit) => hit.path),
    [path],
  );
  assert.equal((await wiki.get_history({ path, limit: 5 }, call)).entries.length, 1);
  assert.ok((await wiki.get_links({ path: 'Home' }, call)).linked_from.includes(path));
  const { total } = await wiki.list_pages({ sort: 'path', limit: 1 }, call);
  return { pages: total, built: reported > 0 };
}

/** Some kilobytes that do not compress well, so that writing the snapshot takes its time. */
function longText(seed: number): string {
  return Array.from({ length: 300 }, (_, at) => ((seed * 7919 + at * 104_729) % 1_000_003).toString(36)).join(
    ' ',
  );
}
