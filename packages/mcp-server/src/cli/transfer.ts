import { resolve } from 'node:path';
import {
  type Author,
  type Call,
  callOperation,
  newRequestId,
  nextAtTerminal,
  type Output,
  type Scope,
  toWikiError,
  type Wiki,
} from '@pagetree/wiki/contract';
import { everyLocalFile } from '../local-files/local-files.ts';
import { withLocalFiles } from '../local-files/with-local-files.ts';
import { describeError } from '../log.ts';
import type { CommandLine } from './command-line.ts';
import type { ProgressDisplay } from './progress-display.ts';

/** `import` or `export` as a person asked for it. */
export type TransferCommand = CommandLine & { kind: 'import' | 'export' };

export interface TransferSurroundings {
  wiki: Wiki;
  /** True if the wiki is in another process. */
  isRemote: boolean;
  /** The name of the wiki; null for the default one. */
  name: string | null;
  author: Author;
  scope: Scope | null;
  workingDirectory: string;
  display: ProgressDisplay;
  /** Ends the work before anything is committed. */
  signal: AbortSignal;
  /** Milliseconds since 1970. */
  now: () => number;
  randomBytes: (count: number) => Uint8Array;
}

/** The result: a sentence for the person, who may see everything. */
export type Transferred = { done: true; report: string } | { done: false; problem: string };

/**
 * Transfers pages between the wiki and a path on this machine. The person at the terminal may name any file.
 */
export async function transfer(command: TransferCommand, around: TransferSurroundings): Promise<Transferred> {
  const { author, scope, display, signal } = around;
  const place = resolve(around.workingDirectory, command.place);
  const wiki = withLocalFiles(around.wiki, everyLocalFile(), {
    savesFiles: true,
    isRemote: around.isRemote,
  });
  const call: Call = {
    caller: { author, agent: null },
    scope: scope ?? undefined,
    signal,
    progress: display.show,
  };
  const where = { ...(around.name !== null && { wiki: around.name }), local_path: place };
  try {
    return { done: true, report: await carry(command, wiki, where, call, around) };
  } catch (error) {
    const { text, code, cause } = toWikiError(error);
    const because = code === 'internal' ? ` (${describeError(cause)})` : '';
    return { done: false, problem: `${text.happened}${because} ${text.now} ${nextAtTerminal(text)}` };
  } finally {
    display.end();
  }
}

async function carry(
  { kind, options }: TransferCommand,
  wiki: Wiki,
  where: { wiki?: string; local_path: string },
  call: Call,
  { now, randomBytes }: TransferSurroundings,
): Promise<string> {
  if (kind === 'export') {
    const { format, at } = options;
    const input = { ...where, ...(format !== undefined && { format }), ...(at !== undefined && { at }) };
    return describeExport((await callOperation(wiki, 'export_wiki', input, call)) as Output<'export_wiki'>);
  }
  const { prefix, replace = false, 'dry-run': dry_run = false } = options;
  const request_id = newRequestId(now(), randomBytes(10));
  const input = { ...where, ...(prefix !== undefined && { prefix }), replace, dry_run, request_id };
  const imported = (await callOperation(wiki, 'import_wiki', input, call)) as Output<'import_wiki'>;
  return describeImport(imported, dry_run);
}

function describeImport(imported: Output<'import_wiki'>, isDryRun: boolean): string {
  const { wiki, pages, attachments, changes, commit, ignored, ignored_total } = imported;
  const found = `${pages} pages and ${attachments} other files`;
  const history = imported.kind === 'history' ? `, with ${imported.commits} commits` : '';
  const left = ignored_total === 0 ? '' : ` Left out: ${ignored.join(', ')}${more(ignored, ignored_total)}.`;
  const elsewhere = describeRetargeted(imported, isDryRun);
  if (isDryRun)
    return `${found}${history} would come into the wiki ${wiki}, which changes ${changes} of them.${left}${elsewhere}`;
  if (!imported.changed) return `The wiki ${wiki} has all ${found} already; nothing was changed.${left}`;
  return `${found}${history} came into the wiki ${wiki}, in commit ${commit}.${left}${elsewhere}`;
}

function describeRetargeted(
  { retargeted = [], retargeted_total }: Output<'import_wiki'>,
  isDryRun: boolean,
): string {
  if (retargeted_total === undefined) return '';
  if (retargeted_total === null) {
    return ' Whether links lead elsewhere by that could not be found out in time.';
  }
  const count = `${retargeted_total} ${retargeted_total === 1 ? 'link' : 'links'} of pages in the wiki`;
  const lead = isDryRun ? 'would lead' : retargeted_total === 1 ? 'leads' : 'lead';
  const shown = retargeted.slice(0, MAX_LINKS_SHOWN).map(({ page, link, old_target, new_target }) => {
    const targets = `to ${new_target ?? 'nothing'} instead of ${old_target ?? 'nothing'}`;
    // A page may contain control characters that a terminal would execute.
    return `  ${link} in ${page}: ${targets}`.replace(/\p{Cc}/gu, '?');
  });
  const left = retargeted_total - shown.length;
  const lines = left === 0 ? shown : [...shown, `  and ${left} more`];
  return `\n${count} ${lead} elsewhere${isDryRun ? '' : ' now'}:\n${lines.join('\n')}`;
}

const MAX_LINKS_SHOWN = 5;

function more(shown: readonly string[], total: number): string {
  return total > shown.length ? ` and ${total - shown.length} more` : '';
}

function describeExport({ wiki, format, files, commit, saved_to }: Output<'export_wiki'>): string {
  return `The wiki ${wiki} at commit ${commit}, ${files} files, is in the ${format} ${saved_to}.`;
}
