import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { Backend } from '@pagetree/backends/backend';
import { nextAtTerminal, type Scope, toWikiError } from '@pagetree/wiki/contract';
import type { SiteAssets } from '../assets/site-assets.ts';
import { exportSite } from './export-site.ts';

export interface ExportAtTerminal {
  backend: Backend;
  assets: SiteAssets;
  name: string | null;
  scope: Scope | null;
  /** Relative to `from`. */
  place: string;
  from: string;
  log: (line: string) => void;
  signal: AbortSignal;
}

/** Exports a site for a person at a terminal. Returns the sentence that reports it; null if it failed, which is logged. */
export async function runExport({
  backend,
  assets,
  name,
  scope,
  ...terminal
}: ExportAtTerminal): Promise<string | null> {
  const { place, from, log, signal } = terminal;
  const directory = resolve(from, place);
  try {
    const { wiki, commit, pages, files } = await exportSite({
      ...{ wiki: backend.wiki, name, scope, directory, signal },
      parts: await assets.exported(),
      token: randomUUID(),
      progress: tenths(log),
    });
    const at = commit === null ? '' : ` at commit ${commit}`;
    return `The wiki ${wiki}${at}, ${pages} pages and ${files} other files, is a site in ${directory}.`;
  } catch (error) {
    if (signal.aborted) log('The export was stopped. Nothing was written.');
    else {
      const { text, code, cause } = toWikiError(error);
      const because = code === 'internal' && cause instanceof Error ? ` (${cause.message})` : '';
      log(`${text.happened}${because} ${text.now} ${nextAtTerminal(text)}`);
    }
    return null;
  }
}

/** A few lines for each part of the work. */
function tenths(log: (line: string) => void) {
  let shown = '';
  return (done: number, total: number, what: string) => {
    const part = `${what} ${Math.floor((done * 10) / total)}`;
    if (part !== shown) log(`${what}: ${done} of ${total}`);
    shown = part;
  };
}
