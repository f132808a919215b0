import { stat } from 'node:fs/promises';
import type { Backend } from '@pagetree/backends/backend';
import {
  type Caller,
  describeRemote,
  describeScope,
  nextAtTerminal,
  type ScopeSetting,
  toWikiError,
  type WikiError,
} from '@pagetree/wiki/contract';
import { describeError } from '../log.ts';
import { type ToolSelection, toolNames } from '../mcp/tool-selection.ts';
import type { Config } from './config.ts';
import { type Diagnosis, diagnosisOf, fact } from './diagnosis.ts';

/** The subject of the examination: the settings and the backend that they name. */
export interface Patient {
  config: Config;
  selection: ToolSelection;
  scope: ScopeSetting;
  /** Directories whose files tools may read and write. */
  files: readonly string[];
  backend: Backend;
  /** The versions of Pagetree and of Node, by name. */
  versions: Record<string, string>;
}

/** Examines everything that serving needs, as a client would find it. Never throws. */
export async function examine(patient: Patient): Promise<Diagnosis> {
  const { config, selection, scope, files, backend, versions } = patient;
  const facts: string[] = [
    fact(
      'Versions',
      Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    ),
    fact('Place', backend.place),
    fact('Author', `${config.author.name} <${config.author.email}>`),
  ];
  const problems: string[] = config.missingIdentity === null ? [] : [config.missingIdentity];
  if (selection.kind === 'mistake') problems.push(`${selection.sentence} The server does not start so.`);
  else facts.push(fact('Tools', `${selection.names.length} of ${toolNames.length}`));
  if (scope.kind === 'mistake') problems.push(`${scope.sentence} The server does not start so.`);
  else if (scope.scope !== null) facts.push(fact('Scope', describeScope(scope.scope)));
  if (files.length > 0) facts.push(fact('Files', files.join(', ')));
  for (const directory of files) if (!(await isDirectory(directory))) problems.push(noDirectory(directory));
  const limit = (scope.kind === 'scope' && scope.scope) || undefined;
  try {
    const caller = { author: config.author, agent: null };
    const status = await backend.wiki.wiki_status({}, { caller, scope: limit });
    facts.push(
      fact(
        'Wiki',
        `${status.wiki}, ${status.pages} pages, ${status.read_only ? 'read only' : 'can be written'}`,
      ),
      fact('Wikis there', status.wikis.join(', ')),
      ...(status.clone === null ? [] : [fact('Its files', status.clone)]),
    );
    if (limit === undefined) facts.push(...(await factsOfRemote(backend, caller)));
    if (limit !== undefined && status.pages === 0) problems.push(nothingInScope);
    problems.push(...status.problems);
  } catch (error) {
    problems.push(describeFailure(toWikiError(error)));
  } finally {
    await backend.close().catch((error: unknown) => problems.push(`Closing failed: ${describeError(error)}`));
  }
  return diagnosisOf(facts, problems);
}

async function factsOfRemote({ wiki, isRemote }: Backend, caller: Caller): Promise<string[]> {
  const { remote, report } = await wiki.get_remote({}, { caller }).catch((error: unknown) => {
    // A function of another version may know no remotes.
    if (isRemote && 'backend_contract' in toWikiError(error).data) return { remote: null, report: null };
    throw error;
  });
  return remote === null
    ? []
    : [fact('Remote', `${describeRemote(remote)}, ${report?.state ?? 'not synced yet'}`)];
}

const nothingInScope =
  'No page lies in the scope. Correct --scope (or PAGETREE_SCOPE) if that is a slip; else write the first page there.';

function noDirectory(path: string): string {
  return `${JSON.stringify(path)} cannot be looked at, or is no directory, so that tools read and write no files there. Make it, open it to this user, or correct --files (or PAGETREE_FILES).`;
}

async function isDirectory(path: string): Promise<boolean> {
  // A path that cannot be examined cannot be served either.
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** For the person at the terminal, who may see the cause. */
function describeFailure({ text, cause }: WikiError): string {
  // The storage's sentence is shown already; the file system's message is not.
  const reason = cause instanceof Error && cause.message === text.happened ? cause.cause : cause;
  const because = reason === undefined ? '' : ` (${describeError(reason)})`;
  return `${text.happened}${because} ${nextAtTerminal(text)}`;
}
