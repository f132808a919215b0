import { html } from 'hono/html';
import { encodeQuery, type Query } from '../addresses.ts';

/**
 * The HTML of a page in which an image from elsewhere is a link that loads it, and the images that the reader asked
 * for. A link leads to the place where its image is then. `asked` are addresses in the query of the page, which anybody can write: only those of its own images count.
 * Without `query` a link leads to the image itself, as the policy of a static page allows none from elsewhere.
 */
export function withForeignImages(
  body: string,
  asked: readonly string[],
  query: Query | null,
): { html: string; sources: string[] } {
  const shown = new Set<string>();
  const wanted = new Set(asked.slice(0, MAX_IMAGES));
  for (const [, href = ''] of body.matchAll(FOREIGN_IMAGE)) {
    const address = decode(href);
    if (wanted.has(address) && sourceOf(address) !== null) shown.add(address);
  }
  let count = 0;
  const done = body.replaceAll(FOREIGN_IMAGE, (link, href: string, _title, text: string) => {
    const id = `ui.image-${++count}`;
    const address = decode(href);
    if (sourceOf(address) === null) return link;
    const { hostname, pathname } = new URL(address);
    const name = decode(text) || (pathname.split('/').at(-1) ?? '');
    if (shown.has(address))
      return String(html`<img class="image-loaded" id="${id}" src="${address}" alt="${name}">`);
    if (query === null)
      return String(
        html`<a class="image-foreign" href="${address}" rel="nofollow noopener noreferrer">Show the image “${name}” from ${hostname}</a>`,
      );
    return String(
      html`<a class="image-foreign" href="${encodeQuery({ ...query, image: [...shown, address] })}#${id}">Show the image “${name}” from ${hostname}</a>`,
    );
  });
  return { html: done, sources: [...shown].flatMap((address) => sourceOf(address) ?? []) };
}

const MAX_IMAGES = 20;

/** As the renderer writes it. Nothing that a page contains has this class. */
const FOREIGN_IMAGE =
  /<a href="([^"]*)" rel="nofollow noopener noreferrer" class="image-foreign"( title="[^"]*")?>([^<]*)<\/a>/g;

function decode(text: string): string {
  return text.replaceAll(/&#x([0-9A-F]+);/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

/**
 * The address as a policy names it, without the query. Null for one that a policy cannot name alone: a path with a slash
 * at its end stands for all that is below it.
 */
function sourceOf(address: string): string | null {
  const { protocol, username, password, hostname, origin, pathname } = new URL(address);
  const isPlain =
    /^https?:$/.test(protocol) && username === '' && password === '' && /^[\w.-]+$/.test(hostname);
  if (!isPlain || pathname.endsWith('/')) return null;
  const path = pathname.replaceAll(/[^\w/%.~!$&()+=:@-]/g, (character) => encodeURIComponent(character));
  return origin + path.replaceAll("'", '%27').replaceAll('*', '%2A');
}
