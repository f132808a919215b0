import { lstatSync } from 'node:fs';
import { toWikiError, WikiError } from './contract/errors.ts';
import type { Input, Output } from './contract/operations.ts';
import { parseInput } from './contract/parse-input.ts';
import type { Call, Wiki } from './contract/wiki.ts';
import { historyNeedsNewWiki } from './core/transfer/import-problems.ts';
import { bundleHeader } from './formats/packs/bundle.ts';
import { inStepsOfRepository } from './git/received/local-repository.ts';
import type { HistoryStep, HistorySteps, StepBounds } from './git/sending/history-steps.ts';
import { allowedFileSystem } from './local-files/allowed-file-system.ts';
import type { AllowedFiles } from './local-files/allowed-files.ts';
import { findRepository } from './local-files/find-repository.ts';

export interface StepwiseImport {
  wiki: Wiki;
  input: Pick<Input<'import_wiki'>, 'wiki'>;
  call: Call;
  /** The folder of the repository. */
  path: string;
  files: AllowedFiles;
  bounds?: StepBounds;
}

/**
 * Imports the history of a local repository that is too large for one call: makes the wiki with its oldest commits, and
 * pushes the others after them, as many at once as a call takes. An import that was interrupted goes on where it ended. Null
 * if there is no repository at the path.
 */
export async function importInSteps(options: StepwiseImport): Promise<Output<'import_wiki'> | null> {
  const { path, files, bounds = BOUNDS } = options;
  const place = await files.resolve(path);
  if (!lstatSync(place).isDirectory()) return null;
  const repository = await findRepository(files, place, await files.list(place));
  if (repository === null) return null;
  return inStepsOfRepository(allowedFileSystem(files), repository, (steps) =>
    bring({ ...options, bounds }, steps),
  );
}

async function bring(
  { wiki, input, call, bounds }: StepwiseImport & { bounds: StepBounds },
  steps: HistorySteps,
): Promise<Output<'import_wiki'>> {
  const target = await targetOf(wiki, input, call);
  if (target.head !== null && !steps.trunk.includes(target.head)) throw historyNeedsNewWiki(target.name);
  let [head, isThere, commits] = [target.head, target.isThere, 0];
  for await (const step of steps.after(head, bounds, call.signal)) {
    await land({ wiki, call, name: target.name, isThere }, step).catch((error: unknown) => {
      throw interrupted(error, head);
    });
    [head, isThere] = [step.to, true];
    commits += step.commits;
    call.progress?.(steps.trunk.indexOf(step.to) + 1, steps.trunk.length, 'commits are in the wiki');
  }
  const { pages, attachments } = await countFiles(wiki, target.name, call);
  return {
    wiki: target.name,
    kind: 'history',
    commit: head,
    changed: commits > 0,
    commits,
    pages,
    attachments,
    changes: pages + attachments,
    ignored: [],
    ignored_total: 0,
  };
}

interface Target {
  name: string;
  isThere: boolean;
  head: string | null;
}

async function targetOf(wiki: Wiki, input: StepwiseImport['input'], call: Call): Promise<Target> {
  const { wikis, default: defaultName } = await wiki.list_wikis({}, call);
  const name = input.wiki ?? defaultName;
  if (!wikis.includes(name)) return { name, isThere: false, head: null };
  const { head, refs } = await wiki.list_refs({ wiki: name }, call);
  return { name, isThere: true, head: refs.find((ref) => ref.name === head)?.oid ?? null };
}

async function land(
  { wiki, call, name, isThere }: { wiki: Wiki; call: Call; name: string; isThere: boolean },
  { from, to, pack }: HistoryStep,
): Promise<void> {
  // The progress is that of the whole import.
  const { progress: _, ...rest } = call;
  if (isThere) {
    await wiki.receive_push({ wiki: name, from, to }, { ...rest, bytes: pack });
    return;
  }
  const header = bundleHeader([
    { oid: to, name: 'refs/heads/main' },
    { oid: to, name: 'HEAD' },
  ]);
  const bytes = Buffer.concat([header, pack]);
  await wiki.import_wiki(parseInput('import_wiki', { wiki: name }), { ...rest, bytes });
}

async function countFiles(wiki: Wiki, name: string, call: Call) {
  let [pages, attachments] = [0, 0];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const listed: Output<'list_files'> = await wiki.list_files({ wiki: name, cursor }, call);
    for (const { path } of listed.files) {
      if (path.endsWith('.md')) pages += 1;
      else attachments += 1;
    }
    cursor = listed.next_cursor;
  }
  return { pages, attachments };
}

/** The error of a step, after which the earlier ones are in the wiki. */
function interrupted(error: unknown, head: string | null): WikiError {
  const failure = toWikiError(error);
  if (head === null) return failure;
  const { code, text, data } = failure;
  const goOn = 'Import the same repository again: it goes on from there.';
  return new WikiError(
    code,
    {
      happened: text.happened,
      now: `The history up to commit ${head} is in the wiki.`,
      next: code === 'too_large' ? text.next : goOn,
      atTerminal:
        code === 'too_large' ? text.atTerminal : 'Run the same command again: it goes on from there.',
    },
    data,
    { cause: failure.cause },
  );
}

/** Well within what one call takes: deltas of packs do not count here, and a wiki on AWS has little time and memory. */
const BOUNDS: StepBounds = { objects: 12_000, inflatedBytes: 60_000_000 };
