import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

export interface Followed {
  pages: number;
  links: number;
  /** Links that the host answers with anything but a file. */
  dead: string[];
  /** Links to a place that is not in the page. */
  deadPlaces: string[];
  /** What a browser would load from elsewhere by itself. */
  foreign: string[];
  /** The number of links and images that a page shows as leading nowhere, by its file. */
  broken: Map<string, number>;
  /** Pages that are shown as they are written, since they took too long. */
  plain: string[];
  /** Pages whose policy is missing, or comes after something. */
  withoutPolicy: string[];
}

/** Reads each page of a directory as a browser does, and follows each of its addresses on the host at `base`. */
export async function followLinks(directory: string, base: string): Promise<Followed> {
  const found = await readdir(directory, { recursive: true });
  const files = found.filter((file) => file.endsWith('.html') && !file.endsWith('diagrams.html'));
  const followed: Followed = {
    pages: files.length,
    links: 0,
    dead: [],
    deadPlaces: [],
    foreign: [],
    broken: new Map(),
    plain: [],
    withoutPolicy: [],
  };
  const placesOf = new Map<string, Set<string>>();
  const links: { from: string; to: URL }[] = [];
  for (const file of files) {
    const html = await readFile(join(directory, file), 'utf8');
    const places = new Set<string>();
    const here = new URL(file.split('/').map(encodeURIComponent).join('/'), base);
    walk(parse(html), (element) => {
      const attributes = new Map(element.attrs.map(({ name, value }) => [name, value]));
      places.add(attributes.get('id') ?? '');
      if (isShownBroken(attributes)) followed.broken.set(file, (followed.broken.get(file) ?? 0) + 1);
      for (const to of addressesOf(attributes, here)) {
        if (to.origin === here.origin) links.push({ from: file, to });
        else if (element.tagName !== 'a') followed.foreign.push(`${file}: ${to}`);
      }
    });
    placesOf.set(here.href, places);
    if (html.includes('takes too long')) followed.plain.push(file);
    if (!/<head>\s*<meta charset="utf-8">\s*<meta http-equiv="Content-Security-Policy"/.test(html)) {
      followed.withoutPolicy.push(file);
    }
  }
  const answered = new Map<string, boolean>();
  for (const { from, to } of links) {
    const place = decodeURIComponent(to.hash.slice(1));
    const page = new URL(to);
    page.hash = '';
    const known = answered.get(page.href) ?? (await fetch(page)).ok;
    answered.set(page.href, known);
    followed.links += 1;
    if (!known) followed.dead.push(`${from}: ${to}`);
    else if (place !== '' && !placesOf.get(page.href)?.has(place)) followed.deadPlaces.push(`${from}: ${to}`);
  }
  return followed;
}

function addressesOf(attributes: ReadonlyMap<string, string>, here: URL): URL[] {
  return ['href', 'src', 'action', 'data-diagrams'].flatMap((name) => {
    const value = attributes.get(name);
    return value === undefined || value.startsWith('data:') ? [] : new URL(value, here);
  });
}

function isShownBroken(attributes: ReadonlyMap<string, string>): boolean {
  return /\b(?:link|image)-broken\b/.test(attributes.get('class') ?? '');
}

function walk(node: Node, visit: (element: DefaultTreeAdapterTypes.Element) => void): void {
  if ('attrs' in node) visit(node);
  if ('childNodes' in node) for (const child of node.childNodes) walk(child, visit);
}
