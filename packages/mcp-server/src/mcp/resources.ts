import { type Call, limits, type Wiki, WikiError } from '@pagetree/wiki/contract';
import { parseResourceUri, resourceTemplates, resourceUri, type WikiResource } from './resource-uri.ts';

/** A resource as MCP lists it. Types, not interfaces, so that they have the index signature that MCP asks for. */
export type ListedResource = { uri: string; name: string; title: string; mimeType: string; size?: number };
export type ResourceText = { uri: string; mimeType: string; text: string };

const markdown = 'text/markdown';

export const templates = [
  {
    uriTemplate: resourceTemplates.page,
    name: 'page',
    title: 'A page',
    description: 'The Markdown of a page as it is now.',
    mimeType: markdown,
  },
  {
    uriTemplate: resourceTemplates.pageAt,
    name: 'page-at-commit',
    title: 'A page at a commit',
    description: 'The Markdown of a page as it stood after a commit.',
    mimeType: markdown,
  },
];

/** One part of the default wiki's resources: first its index and its recent changes, then every page. */
export async function listResources(
  wiki: Wiki,
  call: Call,
  cursor: string | undefined,
): Promise<{ resources: ListedResource[]; nextCursor?: string }> {
  const { wiki: name } = await wiki.wiki_status({}, call);
  const query = { wiki: name, sort: 'path', limit: limits.listMost, cursor } as const;
  const { pages, next_cursor } = await wiki.list_pages(query, call);
  const resources = pages.map(({ path, title, size }) => ({
    uri: resourceUri({ kind: 'page', wiki: name, path, commit: null }),
    name: path,
    title,
    mimeType: markdown,
    size,
  }));
  return {
    resources: cursor === undefined ? [...overviews(name), ...resources] : resources,
    ...(next_cursor !== null && { nextCursor: next_cursor }),
  };
}

function overviews(wiki: string): ListedResource[] {
  return [
    { uri: resourceUri({ kind: 'index', wiki }), name: 'index', title: 'All pages', mimeType: markdown },
    {
      uri: resourceUri({ kind: 'recent', wiki }),
      name: 'recent',
      title: 'Recent changes',
      mimeType: markdown,
    },
  ];
}

/**
 * The text as it is, without marks: all of a resource is data, as the instructions say, and people read and
 * edit it. Throws WikiError: `invalid_input` if the address is not one of ours.
 */
export async function readResource(wiki: Wiki, call: Call, uri: string): Promise<ResourceText> {
  return { uri, mimeType: markdown, text: await textOf(wiki, call, requireResource(uri)) };
}

export function requireResource(uri: string): WikiResource {
  const resource = parseResourceUri(uri);
  if (resource !== null) return resource;
  throw new WikiError('invalid_input', {
    happened: `${JSON.stringify(uri.slice(0, 200))} is no resource of Pagetree.`,
    now: 'Nothing was read.',
    next: `Its resources are ${Object.values(resourceTemplates).join(', ')}, wiki://{wiki}/index and wiki://{wiki}/recent.`,
  });
}

function textOf(wiki: Wiki, call: Call, resource: WikiResource): Promise<string> {
  switch (resource.kind) {
    case 'page':
      return wholePage(wiki, call, resource);
    case 'index':
      return indexOf(wiki, call, resource.wiki);
    case 'recent':
      return recentChanges(wiki, call, resource.wiki);
  }
}

/**
 * A page arrives in parts that fit a tool's answer. A client that reads a resource wants it whole, and from
 * one commit.
 */
async function wholePage(wiki: Wiki, call: Call, page: WikiResource & { kind: 'page' }): Promise<string> {
  const query = { wiki: page.wiki, path: page.path, mode: 'content' } as const;
  let part = await wiki.read_page(
    { ...query, at: page.commit ?? undefined, start_line: 1, start_char: 0 },
    call,
  );
  // read_page also follows links, but an address identifies one page.
  if (!isPageAt(part.path, page.path)) throw leadsElsewhere(page.path, part.path);
  const at = part.commit;
  let text = part.content;
  while (part.next_start_line !== null) {
    const start = { start_line: part.next_start_line, start_char: part.next_start_char ?? 0 };
    part = await wiki.read_page({ ...query, at, ...start }, call);
    text += part.content;
  }
  return text;
}

/** True if read_page returned the page of this path and not one to which the path leads as a link. */
export function isPageAt(answered: string, path: string): boolean {
  return pathsOfPage(path).includes(answered);
}

/** The paths, in the wiki's own form, of the page at this address. */
export function pathsOfPage(path: string): string[] {
  const asked = path.normalize('NFC');
  return [asked, asked.replace(/\.md$/i, '')];
}

function leadsElsewhere(path: string, answered: string): WikiError {
  return new WikiError('not_found', {
    happened: `There is no page ${JSON.stringify(path)}.`,
    now: 'Nothing was read.',
    next: `As a link it leads to ${JSON.stringify(answered)}: read that one.`,
  });
}

async function indexOf(wiki: Wiki, call: Call, name: string): Promise<string> {
  const lines: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { wiki: name, sort: 'path', limit: limits.listMost, cursor } as const;
    const { pages, next_cursor } = await wiki.list_pages(query, call);
    for (const { path, title } of pages) lines.push(oneLine(`- [[${path}]] ${title}`));
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return `# All pages of ${name}\n\n${lines.join('\n')}\n`;
}

async function recentChanges(wiki: Wiki, call: Call, name: string): Promise<string> {
  const { entries } = await wiki.get_history({ wiki: name, limit: limits.listDefault }, call);
  const lines = entries.map(({ commit, date, author, agent, message, pages }) => {
    const who = agent === null ? author : `${author} with ${agent}`;
    const touched = pages.map(({ path, action }) => `${action} [[${path}]]`).join(', ');
    const said = message.split('\n')[0];
    return oneLine(
      `- ${date} ${commit.slice(0, 10)} ${who}: ${said}${touched === '' ? '' : ` (${touched})`}`,
    );
  });
  return `# Recent changes of ${name}\n\n${lines.join('\n')}\n`;
}

/** Names and titles may contain line breaks, which would add lines to a list. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
