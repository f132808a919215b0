import { expect, test } from 'vitest';
import { inProcess } from '../operations/local-backends.ts';
import { openTestWiki } from '../operations/test-wiki.ts';
import table from './obsidian-vaults.json' with { type: 'json' };
import { slowLinksOf } from './slow-links.ts';
import { resolveSlowly } from './slow-resolver.ts';

/**
 * A small vault and where its links lead, written down by hand from what Obsidian's documentation says, or from what
 * people saw in Obsidian and published. All sources were read on 2026-11-22.
 */
interface ObsidianVault {
  about: string;
  /**
   * The place where this is documented or was observed. Null: no source was found, and it follows from our
   * rule alone.
   */
  source: string | null;
  /** The kind of the source: a documentation says it, people saw it, or another program does it. */
  evidence?: string;
  /** Tree paths. */
  files: readonly string[];
  aliases?: Readonly<Record<string, readonly string[]>>;
  links: readonly ObsidianLink[];
}

/**
 * The page that holds the link, the link, and where it leads by docs/links.md: null is nowhere. Last, where Obsidian
 * leads instead and by which of our rules we differ.
 */
type ObsidianLink = readonly [
  from: string,
  link: string,
  leads: string | null,
  difference?: { inObsidian: string | null; differsBy: '(d)' | 'aliases' },
];

// A JSON file has arrays, not tuples.
const obsidianVaults = table as unknown as readonly ObsidianVault[];

test.each(obsidianVaults)('in a small vault, $about', async ({ files, aliases = {}, links }) => {
  const contentOf = (path: string) =>
    aliases[path] === undefined ? 'text\n' : `---\naliases: ${JSON.stringify(aliases[path])}\n---\ntext\n`;
  const wiki = await openTestWiki(
    inProcess,
    Object.fromEntries(files.map((path) => [path, contentOf(path)])),
  );
  const vault = {
    paths: files,
    aliases: Object.entries(aliases).flatMap(([path, names]) => names.map((alias) => ({ alias, path }))),
  };
  for (const [from, link, leads] of links) {
    const page = from.replace(/\.md$/, '');
    const { version } = await wiki.run('read_page', { path: page });
    await wiki.run('write_page', { path: page, version, content: `See ${link} now.\n` });
    const { links_to, attachments } = await wiki.run('get_links', { path: page });
    const found = [...links_to.map((path) => `${path}.md`), ...attachments];
    const expected = leads === null || leads === from ? [] : [leads];
    expect(found, `${link} in ${from}`).toEqual(expected);

    const [written] = slowLinksOf(`See ${link} now.\n`);
    const slowly = written === undefined ? null : resolveSlowly(written, from, vault);
    expect(slowly, `${link} in ${from}, resolved slowly`).toBe(leads);
  }
});

test('there are enough small vaults, and each says where it differs from Obsidian', () => {
  const sourced = obsidianVaults.filter(({ source }) => source !== null);
  const differing = obsidianVaults.filter(({ links }) => links.some(([, , , difference]) => difference));
  expect(sourced.length).toBeGreaterThanOrEqual(20);
  for (const { links } of differing) {
    for (const [, , leads, difference] of links)
      if (difference) expect(difference.inObsidian).not.toBe(leads);
  }
});
