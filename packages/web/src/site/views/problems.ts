import type { Output } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { fileAddress, pageAddress, viewAddress } from '../addresses.ts';
import type { Html } from '../layout.ts';
import type { ViewTools } from '../view-tools.ts';
import { showSync } from './sync.ts';
import { linkToFix, linkToSettle } from './writing/ways.ts';

/** How the last sync went, links that lead nowhere and pages that nobody links to. */
export async function answerProblems(context: Context, tools: ViewTools, wiki: string): Promise<Response> {
  const { kind, cursor } = context.req.query();
  const chosen = KINDS.find(({ name }) => name === kind) ?? KINDS[0];
  const {
    commit,
    findings,
    next_cursor: next,
  } = await tools.ask('check_wiki', {
    wiki,
    kinds: [chosen.name],
    cursor,
    limit: 100,
  });
  const addresses = await addressesOf(tools, wiki, findings);
  const main = html`<h1>Problems</h1>
${await showSync(context, tools, wiki)}<nav aria-label="Kinds"><ul class="kinds">${KINDS.map(
    ({ name, title }) => html`<li><a href="${viewAddress(wiki, 'problems', { kind: name })}"${
      name === chosen.name ? html` aria-current="page"` : ''
    }>${title}</a></li>
`,
  )}</ul></nav>
<h2>${chosen.title}</h2>
<p>${chosen.meaning}</p>
${findings.length === 0 ? html`<p role="status">There are none.</p>` : ''}
<ul class="findings">${findings.map((finding) => oneFinding(wiki, finding, addresses, fixOf(tools, wiki, finding)))}</ul>
${next === null ? '' : html`<p><a rel="next" href="${viewAddress(wiki, 'problems', { kind: chosen.name, cursor: next })}">More</a></p>`}`;
  return tools.answer(context, { wiki, title: chosen.title, main }, commit);
}

const KINDS = [
  { name: 'broken_link', title: 'Broken links', meaning: 'These links lead to no page and no file.' },
  {
    name: 'broken_anchor',
    title: 'Broken headings',
    meaning: 'The page is there, but not the heading or block.',
  },
  {
    name: 'ambiguous_link',
    title: 'Ambiguous links',
    meaning: 'Several pages have the name that is linked.',
  },
  {
    name: 'superseded_link',
    title: 'Links to superseded pages',
    meaning: 'Another page has taken the place of the one that is linked.',
  },
  { name: 'orphan', title: 'Orphan pages', meaning: 'No other page links to these.' },
  {
    name: 'near_copy',
    title: 'Near-copies',
    meaning: 'The text of these pages is nearly that of another one.',
  },
  {
    name: 'conflict',
    title: 'Conflicts',
    meaning: 'A sync brought another version of these pages that could not be merged.',
  },
] as const;

type Finding = Output<'check_wiki'>['findings'][number];

function oneFinding(
  wiki: string,
  { kind, path, line, detail, suggestions }: Finding,
  addresses: ReadonlyMap<string, string>,
  fix: Html | '',
): Html {
  return html`<li><a href="${pageAddress(wiki, path)}">${path}</a>${line === null ? '' : html` <span class="when">line ${line}</span>`}
${detail === '' || kind === 'conflict' ? '' : html`<p class="line">${detail}</p>`}${
  suggestions === undefined
    ? ''
    : html`<p class="hint">Perhaps meant: ${suggestions.map(
        (each, index) => html`${index === 0 ? '' : ', '}${showSuggestion(each, addresses.get(each))}`,
      )}</p>`
}${fix === '' ? '' : html`<p>${fix}</p>`}</li>
`;
}

function fixOf(tools: ViewTools, wiki: string, finding: Finding): Html | '' {
  const { kind, path, line, target, copies = [] } = finding;
  if (kind === 'conflict') return linkToSettle(tools, wiki, path);
  if (kind === 'orphan') return linkToFix(tools, wiki, path, { kind });
  const compare = (copy: string) => linkToFix(tools, wiki, path, { kind, copy }, `Compare with ${copy}`);
  if (copies.length > 0 && tools.mayChange(wiki, path))
    return html`${copies.map((copy) => html`${compare(copy)} `)}`;
  // A wiki on AWS that is older does not say how the link is written.
  if (target === undefined || line === null) return '';
  return linkToFix(tools, wiki, path, { kind, line: String(line), target });
}

function showSuggestion(name: string, address: string | undefined): Html {
  return address === undefined ? html`<bdi>${name}</bdi>` : html`<a href="${address}">${name}</a>`;
}

/** The addresses of the pages and files that the findings suggest. Headings and blocks have none. */
async function addressesOf(
  tools: ViewTools,
  wiki: string,
  findings: readonly Finding[],
): Promise<Map<string, string>> {
  const suggested = findings.flatMap(({ kind, suggestions = [] }) =>
    kind === 'broken_anchor' ? [] : suggestions,
  );
  const files = new Set<string>();
  // Only a look into the folder can say whether `v1.2b` is a page or a file.
  const dotted = [...new Set(suggested)].filter((path) => /\.[^/]*$/.test(path));
  for (const folder of new Set(dotted.map(folderOf))) {
    const listed = await tools.ask('list_folder', { wiki, folder }).catch(() => null);
    for (const name of listed?.files ?? []) files.add(folder === '' ? name : `${folder}/${name}`);
  }
  return new Map(
    suggested.map((path) => [path, files.has(path) ? fileAddress(wiki, path) : pageAddress(wiki, path)]),
  );
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
