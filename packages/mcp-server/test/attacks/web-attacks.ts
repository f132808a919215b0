import { type Attack, callTool, type Targets } from './attack.ts';

/** Nearly the maximum size of a page. */
const LONGEST = 1_990_000;

function filled(piece: (at: number) => string, before = ''): string {
  const parts = [before];
  for (let length = before.length, at = 0; length < LONGEST; at += 1) {
    const part = piece(at);
    parts.push(part);
    length += Buffer.byteLength(part);
  }
  return parts.slice(0, -1).join('');
}

/** Pages of maximum length, each made of the text that takes one part of a view the longest. */
const PAGES: Record<string, () => string> = {
  Tags: () => filled((at) => `#t${at.toString(36)} `),
  Headings: () => filled((at) => `# h${at % 7}\n`),
  Links: () => filled((at) => `[[${at.toString(36)}]] `),
  Table: () => filled((at) => `|${at}|[[Links]]|**b**|\n`, '|a|b|c|\n|-|-|-|\n'),
  Columns: () => `|${'a|'.repeat(300_000)}\n|${'-|'.repeat(300_000)}\n|${'b|'.repeat(300_000)}\n`,
  Lines: () => '\n'.repeat(LONGEST),
  Words: () => filled((at) => `word${at % 9} `),
  Footnotes: () => filled((at) => `[^${at}]\n\n[^${at}]: n\n\n`),
  Html: () => filled(() => '<b><i>'),
  Code: () => filled((at) => `\`\`\`js\nlet a${at} = 'x';\n\`\`\`\n`),
  Embeds: () => filled(() => '![[Headings]]\n'),
  Lists: () => filled((at) => `${' '.repeat(at % 90)}- x\n`),
};

/** The pages whose versions are compared. */
const COMPARED = ['Lines', 'Words', 'Table'];
/** The newest commit of each of them. */
const commits = new Map<string, string>();

/** The addresses below a wiki, `W`, with the expected answers for each page. */
const VIEWS: readonly (readonly [address: string, answers: readonly string[]])[] = [
  ...Object.keys(PAGES).map((page) => [`/W/${page}`, ['200']] as const),
  ...['Lines', 'Table', 'Words', 'Links'].map((page) => [`/W/${page}?view=history`, ['200']] as const),
  ...COMPARED.map((page) => [`/W/${page}?view=diff&to=COMMIT`, ['200']] as const),
  ...['Lines', 'Words', 'Table'].map(
    (page) => [`/W/${page}?view=blame`, ['200', '400', '413', '422']] as const,
  ),
  ['/W/', ['200']],
  ['/_/W/tags', ['200']],
  ['/_/W/tags?tag=t1', ['200']],
  ['/_/W/tags?cursor=x', ['400', '404']],
  ['/_/W/changes', ['200']],
  [`/_/W/changes?author=${'a'.repeat(4_000)}&since=x`, ['200', '400']],
  ['/_/W/problems', ['200']],
  ['/_/W/problems?kind=broken_link', ['200']],
  ['/_/W/problems?kind=x&cursor=x', ['200', '400']],
  ['/_/W/search?q=word1', ['200']],
  [`/_/W/search?q=${'t* '.repeat(300)}`, ['200']],
  [`/_/W/search?q=${'%22word1 word2%22 '.repeat(50)}`, ['200']],
  [`/_/W/search?q=${'q'.repeat(4_000)}`, ['200', '400']],
  [`/W/${'a/'.repeat(2_000)}`, ['200', '400', '404']],
  [`/W/${'%2e%2e%2f'.repeat(500)}`, ['400', '404']],
];

let wiki: string | null = null;

async function prepare({ whole, web }: Targets, round: string): Promise<void> {
  if (wiki !== null) return;
  const name = `web-${round}`;
  await callTool(whole, 'create_wiki', { wiki: name });
  for (const [path, make] of Object.entries(PAGES)) {
    const { code, text } = await callTool(whole, 'write_page', { wiki: name, path, content: make() });
    if (code !== 'ok') throw new Error(`${path}: ${text}`);
    if (!COMPARED.includes(path)) continue;
    const { content } = await callTool(whole, 'append_to_page', { wiki: name, path, content: 'more\n' });
    commits.set(path, String(content.commit));
  }
  wiki = name;
  await fetch(`${web.address}/other/Home`);
}

function attackOn([address, answers]: (typeof VIEWS)[number]): Attack {
  return {
    name: `GET ${address.length > 60 ? `${address.slice(0, 50)}... (${address.length})` : address}`,
    on: 'web',
    answers,
    async act({ web }) {
      const commit = commits.get(/^\/W\/(\w+)/.exec(address)?.[1] ?? '') ?? '';
      const place = address.replace('W', wiki ?? '').replace('COMMIT', commit);
      const response = await fetch(web.address + place, { redirect: 'manual' });
      return { code: `${response.status}`, text: (await response.text()).slice(0, 500), content: {} };
    },
  };
}

export const webAttacks: Attack[] = [
  {
    name: 'pages as long as may be are written',
    on: 'whole',
    answers: ['ok'],
    calls: Object.keys(PAGES).length,
    async act(targets, round) {
      await prepare(targets, round);
      return callTool(targets.whole, 'search_pages', { wiki, query: 'word1' });
    },
  },
  ...VIEWS.map(attackOn),
];
