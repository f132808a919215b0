import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type CallInput,
  callOperation,
  type OperationName,
  type Output,
  type Scope,
  type Wiki,
  WikiError,
} from '@pagetree/wiki/contract';
import { fileAddress, folderAddress, pageAddress, viewAddress } from '../../site/addresses.ts';
import { type DiagramFrame, diagramPolicy } from '../../site/diagram-frame.ts';
import { createSite } from '../../site/site.ts';
import { replaceDirectory, type SiteMark } from './replace-directory.ts';
import { linesOfPage, rewritePage } from './rewrite-page.ts';
import { SearchIndex } from './search-index.ts';
import { OWN_FOLDER, SitePaths } from './site-paths.ts';
import { SiteTargets } from './site-targets.ts';

export interface SiteToExport {
  wiki: Wiki;
  /** Null for the default wiki. */
  name: string | null;
  scope: Scope | null;
  directory: string;
  parts: {
    stylesheet: string;
    scripts: { diagrams: string; search: string };
    diagrams: DiagramFrame;
    notices: string;
  };
  /** Part of the names of directories that are used meanwhile. */
  token: string;
  signal: AbortSignal;
  progress: (done: number, total: number, what: string) => void;
}

export interface ExportedSite extends SiteMark {
  pages: number;
  files: number;
}

/**
 * Writes the newest commit of a wiki as a static site. The pages are those that the site answers; one after the other goes
 * to disk, so that memory holds a few of them and their names.
 */
export async function exportSite(options: SiteToExport): Promise<ExportedSite> {
  const { wiki, name, scope, directory, token } = options;
  const reader: Reader = async (operation, input) =>
    (await callOperation(wiki, operation, input, {
      caller: VISITOR,
      scope: scope ?? undefined,
    })) as Output<typeof operation>;
  const { wiki: found } = await reader('wiki_status', name === null ? {} : { wiki: name });
  const counts = { pages: 0, files: 0 };
  const mark = await replaceDirectory(directory, token, async (made) => {
    const before = await reader('list_changed', { wiki: found });
    Object.assign(counts, await writeSite(made, found, reader, options));
    const { commit } = await reader('list_changed', { wiki: found });
    if (before.commit !== commit) throw changedMeanwhile();
    return { wiki: found, commit };
  });
  return { ...mark, ...counts };
}

type Reader = <Name extends OperationName>(operation: Name, input: CallInput<Name>) => Promise<Output<Name>>;

const VISITOR = { author: { name: 'A visitor', email: '' }, agent: 'pagetree-web' };

async function writeSite(directory: string, wiki: string, reader: Reader, options: SiteToExport) {
  const { parts, progress, signal } = options;
  const titles = await titlesOf(reader, wiki);
  const files = await filesOf(reader, wiki);
  const paths = new SitePaths([...titles.keys()], files);
  const { get } = openStatic(wiki, options);
  const write = (file: string, content: string | Uint8Array) => writeIn(directory, file, content);

  const svgs = new Map<string, string>();
  let svgBytes = 0;
  for (const [index, path] of files.entries()) {
    signal.throwIfAborted();
    progress(index, files.length, 'Files');
    const bytes = Buffer.from(await (await get(fileAddress(wiki, path))).arrayBuffer());
    if (/\.svg$/i.test(path) && bytes.length <= MAX_SVG && svgBytes + bytes.length <= MAX_SVGS) {
      svgBytes += bytes.length;
      svgs.set(path, `data:image/svg+xml;base64,${bytes.toString('base64')}`);
    }
    const file = paths.file(path);
    if (file !== undefined) await write(file, bytes);
  }

  const targets = new SiteTargets(wiki, paths, svgs);
  const show = async (address: string, file: string, body?: string) => {
    const page = body ?? (await (await get(address)).text());
    await write(
      file,
      rewritePage(page, file, (to, asImage) => targets.of(to, asImage)),
    );
    return page;
  };
  const index = new SearchIndex(join(directory, OWN_FOLDER, 'search'));
  await index.open();
  const pages = [...titles];
  for (let at = 0; at < pages.length; at += AT_ONCE) {
    signal.throwIfAborted();
    progress(at, pages.length, 'Pages');
    const next = pages.slice(at, at + AT_ONCE);
    const bodies = await Promise.all(next.map(async ([path]) => (await get(pageAddress(wiki, path))).text()));
    for (const [each, [path, title]] of next.entries()) {
      const file = paths.page(path) ?? '';
      const page = await show('', file, bodies[each]);
      const address = file.split('/').map(encodeURIComponent).join('/');
      await index.add({ title, path, address, text: linesOfPage(page) });
    }
  }
  await index.finish();
  for (const folder of paths.folders) {
    signal.throwIfAborted();
    await show(folderAddress(wiki, folder), paths.folder(folder) ?? '');
  }
  const home = titles.has('Home') ? paths.page('Home') : undefined;
  if (home === undefined) await show(folderAddress(wiki, ''), 'index.html');
  else await copyFile(join(directory, home), join(directory, 'index.html'));
  await show(viewAddress(wiki, 'search'), `${OWN_FOLDER}/search.html`);
  // Each may lead to more of them.
  for (const { address, file } of targets.views) {
    signal.throwIfAborted();
    await show(address, file);
  }
  await write(`${OWN_FOLDER}/style.css`, parts.stylesheet);
  await write(`${OWN_FOLDER}/search.js`, parts.scripts.search);
  await write(`${OWN_FOLDER}/THIRD-PARTY-NOTICES.txt`, parts.notices);
  if (targets.diagrams !== null) {
    await write(`${OWN_FOLDER}/diagrams.js`, parts.scripts.diagrams);
    await write(targets.diagrams, staticFrame(parts.diagrams));
  }
  return { pages: pages.length, files: files.length };
}

/** Rendering has two threads; while they work, others are read. */
const AT_ONCE = 4;
/** An SVG may run script as a file, and no image has to be a file. Larger ones can only be saved. */
const MAX_SVG = 200_000;
const MAX_SVGS = 20_000_000;

/** The answers of the site, as a page of a file would be. */
function openStatic(wiki: string, { wiki: reads, scope, parts }: SiteToExport) {
  const causes: string[] = [];
  const site = createSite({
    wiki: reads,
    scope,
    author: null,
    hosts: [HOST],
    stylesheet: '',
    script: '',
    editor: '',
    graph: { text: () => '', digest: '' },
    notices: () => '',
    diagrams: parts.diagrams,
    build: 'static',
    log: (line) => causes.push(line),
    isStatic: true,
  });
  return {
    get: async (address: string): Promise<Response> => {
      const response = await site.fetch(new Request(`http://${HOST}${address}`, { headers: { host: HOST } }));
      if (response.status === 200) return response;
      // A page that was there a moment ago.
      if (response.status === 404) throw changedMeanwhile();
      throw new WikiError('backend_unavailable', {
        happened: `The wiki ${wiki} did not answer for ${address}: ${causes.at(-1) ?? response.status}.`,
        now: 'Nothing was written.',
        next: 'Export it again.',
      });
    },
  };
}

const HOST = 'site';

async function titlesOf(reader: Reader, wiki: string): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  let cursor: string | undefined;
  do {
    const listed = await reader('list_pages', { wiki, cursor, limit: 200 });
    for (const { path, title } of listed.pages) titles.set(path, title);
    cursor = listed.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return titles;
}

async function filesOf(reader: Reader, wiki: string): Promise<string[]> {
  const files: string[] = [];
  let cursor: string | undefined;
  do {
    const listed = await reader('list_attachments', { wiki, cursor, limit: 200 });
    files.push(...listed.attachments.map(({ path }) => path));
    cursor = listed.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return files;
}

async function writeIn(directory: string, file: string, content: string | Uint8Array): Promise<void> {
  const place = join(directory, file);
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, content);
}

/** The document that draws diagrams, with its policy in it. Two directives work in headers alone. */
function staticFrame(diagrams: DiagramFrame): string {
  const directives = diagramPolicy(diagrams, '').split('; ');
  const policy = directives.filter((each) => !/^(?:frame-ancestors|sandbox)/.test(each)).join('; ');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return diagrams.html().replace('<!doctype html>', (doctype) => `${doctype}\n${meta}`);
}

function changedMeanwhile(): WikiError {
  return new WikiError('busy', {
    happened: 'The wiki changed while it was exported.',
    now: 'Nothing was written.',
    next: 'Export it again.',
  });
}
