import { toWikiError } from '../../../src/contract/errors.ts';
import type { OperationName } from '../../../src/contract/operations.ts';
import { parseInput } from '../../../src/contract/parse-input.ts';
import type { Scope } from '../../../src/contract/scope.ts';
import type { Call } from '../../../src/contract/wiki.ts';
import { type Backend, openTestWiki, type TestWiki } from '../test-wiki.ts';

/** A call that is limited to the first may know it. The second is elsewhere, and each of its words is recognisable. */
export const here = {
  'notes/A.md':
    '---\naliases: [First]\n---\n# Plan\n\nOf [[notes/B]], [[A]], [[A#Zebra]], [[Zebra]], [[secret/Zebra]], ![[zebra.png]].\n',
  'notes/B.md': 'Plain text of B, see [[First]] and [[Striped]].\n',
  'notes/Deep/C.md': '# Deep\n\n#tagged text\n',
  'notes/chart.png': 'not really an image',
  'wide/D.md': 'Text that [[A]] knows.\n',
};
export const elsewhere = {
  'Home.md': 'Zebra lives in [[notes/A]].\n',
  'secret/Zebra.md': '---\naliases: [Striped]\n---\nThe zebra has a plan and text. [[notes/B]]\n',
  'secret/A.md': 'zebra text #tagged\n',
  'secret/zebra.png': 'stripes',
  'notesX/Zebra.md': 'zebra text\n',
  'notes.md': 'zebra text beside the folder\n',
};
export const narrow: Scope = { read: ['notes/'], write: ['notes/'] };
export const wider: Scope = { read: ['notes/', 'wide/', 'notes/Deep/'], write: ['notes/Deep/'] };
/** Stands for the newest commit that the call may know of. */
export const HEAD = 'head';

/** A wiki that begins with what is elsewhere, and then got each file by a commit of its own. */
export async function grown(
  backend: Backend,
  first: Record<string, string>,
  wanted: (file: string) => boolean = () => true,
): Promise<TestWiki> {
  const wiki = await openTestWiki(backend, first);
  for (const [file, content] of Object.entries(here)) {
    if (!wanted(file)) continue;
    if (file.endsWith('.md')) await wiki.write(file, content);
    else await wiki.run('put_attachment', { path: file, content: Buffer.from(content).toString('base64') });
  }
  return wiki;
}

/** The answer or the error, with what may differ between two wikis made blank. */
export async function ask(wiki: TestWiki, scope: Scope, name: OperationName, input: Record<string, unknown>) {
  try {
    return blank(await answerOf(wiki, scope, name, input));
  } catch (error) {
    const { code, text, data, cause } = toWikiError(error);
    if (code === 'internal') throw cause;
    return blank({ code, text, data });
  }
}

export async function answerOf(
  wiki: TestWiki,
  scope: Scope,
  name: OperationName,
  given: Record<string, unknown>,
) {
  const caller = { author: { name: 'Grace', email: 'grace@example.org' }, agent: null };
  const call = { caller, scope };
  const newest = await wiki.wiki.get_history(parseInput('get_history', { limit: 1 }), call);
  const head = newest.entries[0]?.commit;
  const filled = Object.entries(given).map(([key, value]) => [key, value === HEAD ? head : value]);
  const input = Object.fromEntries(filled.filter(([, value]) => value !== undefined));
  const method = wiki.wiki[name] as (input: unknown, call: Call) => Promise<unknown>;
  return method(parseInput(name, input), call);
}

/** Makes blank what may differ between two wikis: commits, times, cursors, the marks around a page's text. */
export function blank(value: unknown): unknown {
  const commits = new Set([
    'commit',
    'as_of',
    'since',
    'head',
    'from',
    'to',
    'reverted',
    'before',
    'next_cursor',
    'date',
    'updated',
  ]);
  return JSON.parse(JSON.stringify(value), (key, nested: unknown) => {
    if (commits.has(key)) return nested === null ? null : key;
    if (key === 'content' && typeof nested === 'string' && nested.startsWith('UEs')) return 'a zip';
    if (typeof nested !== 'string') return nested;
    return nested
      .replaceAll(/([Cc]ommit) [0-9a-f]{40}/g, '$1')
      .replaceAll(/\[(page text )?[0-9a-f]{12} (begins|ends)\]/g, '[$2]')
      .replaceAll(/[^\s`]*\/pagetree-test-\w+/g, 'place')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then');
  });
}
