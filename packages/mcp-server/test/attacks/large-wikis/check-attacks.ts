import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipOfStoredBlocks } from '../../../../wiki/test/operations/archives.ts';
import { type Attack, callTool, type Outcome, type Targets } from '../attack.ts';
import { checkedShare } from './attacks-config.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const lines = (count: number, line: (at: number) => string) => numbers(count).map(line).join('');
const share = (count: number) => Math.ceil(count / checkedShare);

type Files = Iterable<readonly [path: string, text: string]>;

/** Wikis that have as much as may be of what check_wiki reports, or of what it has to compare. */
const WIKIS: Record<string, () => Files> = {
  'broken links': () =>
    numbers(10).map((page) => [`${page}.md`, lines(share(10_000), (at) => `[[no ${page} ${at}]]\n`)]),
  'broken anchors': () => [
    ['Headings.md', lines(share(20_000), (at) => `# heading ${at}\n\n`)],
    ...numbers(10).map(
      (page) => [`${page}.md`, lines(share(10_000), (at) => `[[Headings#no ${page} ${at}]]\n`)] as const,
    ),
  ],
  'pages of one name': () => [
    ...numbers(share(3_000)).map((at) => [`f${at}/Same.md`, `# Page ${at}\n`] as const),
    ...numbers(3).map((at) => [`${at}.md`, lines(share(10_000), () => '[[Same]]\n')] as const),
  ],
  'pages of one title': () => numbers(share(8_000)).map((at) => [`${at}.md`, '# The same\n\ntext\n']),
  'pages of one alias': () => [
    ...numbers(share(4_000)).map((at) => [`${at}.md`, `---\naliases: Other\n---\ntext ${at}\n`] as const),
    ...numbers(3).map((at) => [`l${at}.md`, lines(share(10_000), () => '[[Other]]\n')] as const),
  ],
  'links to one page': () => [
    ['Hub.md', '# Hub\n'],
    ...numbers(12).map((at) => [`${at}.md`, lines(share(2_000), () => 'to [[Hub]]\n')] as const),
  ],
};

const imported = new Map<string, string>();

function importOf(name: string, make: () => Files): Attack {
  return {
    name: `very many ${name}: import and index`,
    on: 'whole',
    answers: ['ok'],
    calls: 2,
    async act({ whole, files }, round) {
      const wiki = `check-${round}`;
      const zip = zipOfStoredBlocks(
        [...make()].map(([path, text]) => ({ name: path, content: Buffer.from(text) })),
      );
      await writeFile(join(files, `${round}.zip`), zip);
      const outcome = await callTool(whole, 'import_wiki', { wiki, local_path: `${round}.zip` });
      imported.set(name, wiki);
      return outcome.code === 'ok' ? callTool(whole, 'list_pages', { wiki, limit: 1 }) : outcome;
    },
  };
}

function ask(name: string, what: string, act: (targets: Targets, wiki: string) => Promise<Outcome>): Attack {
  return {
    name: `very many ${name}: ${what}`,
    on: 'whole',
    answers: ['ok'],
    async act(targets) {
      return act(targets, imported.get(name) ?? '');
    },
  };
}

async function threeAnswers({ whole }: Targets, wiki: string): Promise<Outcome> {
  let outcome = await callTool(whole, 'check_wiki', { wiki, limit: 100 });
  for (let call = 1; call < 3 && outcome.content.next_cursor != null; call += 1) {
    const cursor = outcome.content.next_cursor;
    outcome = await callTool(whole, 'check_wiki', { wiki, limit: 100, cursor });
  }
  return outcome;
}

const MOST = 2_000_000;

export const checkAttacks: Attack[] = [
  ...Object.entries(WIKIS).flatMap(([name, make]) => [
    importOf(name, make),
    ask(name, 'check of all kinds', (targets, wiki) =>
      callTool(targets.whole, 'check_wiki', { wiki, limit: 100 }),
    ),
    { ...ask(name, 'three answers, each by the cursor of the one before', threeAnswers), calls: 3 },
  ]),
  ...['Hub', '0'].map((path) =>
    ask('links to one page', `get_links of ${path}`, ({ whole }, wiki) =>
      callTool(whole, 'get_links', { wiki, path }),
    ),
  ),
  {
    ...ask('links to one page', 'the move of that page, there and back', async ({ whole }, wiki) => {
      const there = await callTool(whole, 'move_page', { wiki, path: 'Hub', new_path: 'Other hub' });
      if (there.code !== 'ok') return there;
      return callTool(whole, 'move_page', { wiki, path: 'Other hub', new_path: 'Hub' });
    }),
    calls: 2,
  },
  {
    name: 'two pages of the most bytes at once in one wiki',
    on: 'whole',
    answers: ['ok'],
    calls: 2,
    async act({ whole }, round) {
      const wiki = `at-once-${round}`;
      await callTool(whole, 'create_wiki', { wiki });
      const outcomes = await Promise.all(
        numbers(2).map((at) => {
          const line = `page ${at} of [[${(at + 1) % 2}]] and #tag${at}\n`;
          const content = line.repeat(Math.floor(MOST / line.length));
          return callTool(whole, 'write_page', { wiki, path: `${at}`, content });
        }),
      );
      const refused = outcomes.find(({ code }) => code !== 'ok');
      return refused ?? callTool(whole, 'get_links', { wiki, path: '0' });
    },
  },
];
