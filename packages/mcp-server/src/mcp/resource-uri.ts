/** A resource of a wiki that a client may read. */
export type WikiResource =
  | { kind: 'page'; wiki: string; path: string; commit: string | null }
  | { kind: 'index'; wiki: string }
  | { kind: 'recent'; wiki: string };

/** The templates of the resources that are too many to list, as RFC 6570 has it. */
export const resourceTemplates = {
  page: 'wiki://{wiki}/page/{+path}',
  pageAt: 'wiki://{wiki}/at/{commit}/page/{+path}',
} as const;

export function resourceUri(resource: WikiResource): string {
  const root = `wiki://${resource.wiki}`;
  if (resource.kind !== 'page') return `${root}/${resource.kind}`;
  const path = resource.path.split('/').map(encodeURIComponent).join('/');
  return resource.commit === null ? `${root}/page/${path}` : `${root}/at/${resource.commit}/page/${path}`;
}

/** Null if the text is not an address of ours. Does not check that the wiki or page exists. */
export function parseResourceUri(uri: string): WikiResource | null {
  const [, wiki, rest] = /^wiki:\/\/([a-z0-9-]{1,64})\/(.+)$/s.exec(uri) ?? [];
  if (wiki === undefined || rest === undefined) return null;
  if (rest === 'index' || rest === 'recent') return { kind: rest, wiki };
  const [, commit, encoded] = /^(?:at\/([0-9a-f]{4,40})\/)?page\/(.+)$/s.exec(rest) ?? [];
  const path = encoded === undefined ? null : decode(encoded);
  return path === null ? null : { kind: 'page', wiki, path, commit: commit ?? null };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    // A "%" that begins no escape: the address belongs to another program.
    return null;
  }
}
