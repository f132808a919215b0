import type { Context } from 'hono';
import { pathIn } from './addresses.ts';
import type { ViewTools } from './view-tools.ts';

/** A name that no wiki has would lead elsewhere in links, such as `//example.org`. */
export const WIKI = ':wiki{[a-z0-9-]+}';

export function wikiIn(context: Context): string {
  return context.req.param('wiki') ?? '';
}

/** Answers for the path after `prefix`, if it is one. */
export function withPath(
  context: Context,
  tools: ViewTools,
  prefix: string,
  answer: (path: string) => Promise<Response>,
): Promise<Response> | Response {
  const path = pathIn(context.req.url, prefix);
  return path === null ? tools.notFound(context) : answer(path);
}

/** True if a person opened the address, and no program. */
export function isOfPerson({ req }: Context): boolean {
  return req.method === 'GET' && (req.header('accept') ?? '').includes('text/html');
}
