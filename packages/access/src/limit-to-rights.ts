import {
  type Call,
  effectOf,
  methodOf,
  noSuchWiki,
  type OperationName,
  type Output,
  type Scope,
  toWikiError,
  type Wiki,
  type WikiError,
  wikiOf,
} from '@pagetree/wiki/contract';
import { neededRight } from './needed-rights.ts';
import { EVERY_WIKI } from './parse-access.ts';
import { administratorsOnly, mayOnlyRead, nothingInCommon, noWikiToSee } from './refusals.ts';
import { commonFolders, type Person, type Rights, rightsIn, type WikiRights } from './rights.ts';

/** An access decision, for a log. It holds no content: no path of a page and no text. */
export interface Decision {
  operation: OperationName;
  /** The wiki that the call is about; null if it is about none. */
  wiki: string | null;
  /** False also if a scope refused what the call names, or hid it. */
  isAllowed: boolean;
  effect: 'read' | 'write';
  /** The commit that a write made; the newest one of a push. Null if it made none. */
  commit: string | null;
}

export interface RightsOptions {
  /** Whose rights they are. Each call that goes on says so. */
  person: Pick<Person, 'issuer' | 'subject'>;
  /** The wiki of calls that name none, if the person may see it. Otherwise it is the first one that they may see. */
  defaultWiki: string | null;
  /** Called once for each access decision, when the call has its answer. */
  decided(decision: Decision): void;
}

/**
 * The wiki as a person with these rights may see and change it. A wiki or a folder that they may not see is answered as
 * one that does not exist. A write that they may not make is refused before anything is looked at.
 */
export function limitToRights(wiki: Wiki, rights: Rights, options: RightsOptions): Wiki {
  const seen = seenWikis(wiki, rights, options.defaultWiki);
  const { issuer, subject } = options.person;
  const person = JSON.stringify([issuer, subject]);
  return wikiOf(async (operation, input, given) => {
    const call = { ...given, person };
    const effect = effectOf(operation, input);
    const decision: Decision = { operation, wiki: null, isAllowed: false, effect, commit: null };
    try {
      const output = await answer({ seen, operation, input: input as AnyInput, call, decision });
      if (effect === 'write') decision.commit = commitIn(output);
      return output;
    } catch (error) {
      if (toWikiError(error).code === 'forbidden') decision.isAllowed = false;
      throw error;
    } finally {
      options.decided(decision);
    }
  });
}

/** The fields that matter here. Every operation has `wiki`. */
interface AnyInput {
  wiki?: string | undefined;
  all?: boolean | undefined;
  path?: string | undefined;
}

interface Asked {
  seen: SeenWikis;
  operation: OperationName;
  input: AnyInput;
  call: Call;
  /** Records the decision, as far as it is made. */
  decision: Decision;
}

async function answer(asked: Asked): Promise<unknown> {
  const { seen, operation, input, call, decision } = asked;
  if (operation === 'list_wikis') return listWikis(asked);
  if (operation === 'list_remotes' || (operation === 'maintain_wiki' && input.all === true)) {
    if (!seen.rights.wikis.get(EVERY_WIKI)?.mayAdminister) throw administratorsOnly(operation, null);
    return pass(asked, input, call.scope);
  }
  const name = input.wiki ?? seen.defaultWiki ?? (await seen.names(call))[0];
  decision.wiki = name ?? null;
  const here = name === undefined ? null : rightsIn(seen.rights, name);
  // Refused without a look: the answer is the same if there is such a wiki.
  if (operation === 'create_wiki' && !here?.mayAdminister) throw administratorsOnly(operation, null);
  if (name === undefined || here === null) throw await seen.missing(input.wiki, call);
  const scope = allowedScope(asked, name, here);
  const isImport = (operation === 'import_wiki' || operation === 'upload_part') && !here.mayAdminister;
  // An import would make the wiki, and an upload be held for one.
  if (isImport && !(await seen.names(call)).includes(name)) throw await seen.missing(name, call);
  const output = await pass(asked, { ...input, wiki: name }, passedScope(scope, call, isImport)).catch(
    async (error: unknown) => {
      const { code, data } = toWikiError(error);
      // Only the error for an unknown wiki lists those that are there.
      if (Array.isArray(data.wikis)) throw await seen.missing(name, call);
      if (code === 'not_found' && isHidden(input, scope)) decision.isAllowed = false;
      throw error;
    },
  );
  return asSeen(operation, output, scope, seen, here);
}

function pass({ seen, operation, call, decision }: Asked, input: AnyInput, scope: Scope | undefined) {
  decision.isAllowed = true;
  return methodOf(seen.wiki, operation)(input, { ...call, scope });
}

async function listWikis({ seen, call, decision }: Asked): Promise<Output<'list_wikis'>> {
  const wikis = await seen.names(call);
  const [first] = wikis;
  if (first === undefined) throw await seen.missing(undefined, call);
  decision.isAllowed = true;
  return { wikis, default: seen.defaultWiki ?? first };
}

/** The folders that the call may know and change. Throws `forbidden` if it needs a right that the person has not. */
function allowedScope({ operation, input, call }: Asked, wiki: string, here: WikiRights): Scope {
  const needed = neededRight(operation, input, call);
  if (needed === 'administer' && !here.mayAdminister) throw administratorsOnly(operation, wiki);
  const scope = limitedFurther(here, call, wiki);
  if (needed !== 'read' && scope.write.length === 0) throw mayOnlyRead(scope.read, wiki);
  return scope;
}

/** The folders of the person, and of them what lies in the call's own scope. */
function limitedFurther(here: WikiRights, { scope }: Call, wiki: string): Scope {
  if (scope === undefined) return here;
  const read = commonFolders(here.read, scope.read);
  if (read.length === 0) throw nothingInCommon(here.read, wiki);
  return { read, write: commonFolders(here.write, scope.write) };
}

/**
 * The scope that is passed on; none if nothing is out of it. A call that only reads may have an empty `write`, which the
 * contract does not know. Nothing reads `write` then but what `asSeen` answers.
 */
function passedScope({ read, write }: Scope, call: Call, isImport: boolean): Scope | undefined {
  const isWhole = read.includes('') && (write.includes('') || write.length === 0);
  // With a scope, core makes no wiki, even if this one went meanwhile.
  if (isWhole && call.scope === undefined && !isImport) return undefined;
  return { read, write: write.length === 0 ? read : write };
}

/** True if the call names a place that the person may not see, be something there or not. A link names no place. */
function isHidden({ path }: AnyInput, { read }: Scope): boolean {
  if (path === undefined || path.startsWith('[[')) return false;
  // A folder may be named without its slash.
  return !read.some((folder) => `${path}/`.startsWith(folder));
}

function commitIn(output: unknown): string | null {
  const { commit, changed } = output as { commit?: string | null; changed?: boolean };
  return changed === false ? null : (commit ?? null);
}

function isWhole({ read, write }: Scope): boolean {
  return read.includes('') && write.includes('');
}

/** The answer as the person may see it: other wikis, the host and what they cannot change are not in it. */
function asSeen(
  operation: OperationName,
  output: unknown,
  scope: Scope,
  { rights }: SeenWikis,
  { mayAdminister }: WikiRights,
): unknown {
  if (operation === 'list_mentions' && scope.write.length === 0) {
    const mentions = output as Output<'list_mentions'>;
    return { ...mentions, mentions: [], truncated: false };
  }
  if (operation !== 'wiki_status') return output;
  const status = output as Output<'wiki_status'>;
  const { sync } = status;
  // Who may sync the wiki may see how it went.
  const isShown = mayAdminister || (sync?.agents_may_sync === true && isWhole(scope));
  return {
    ...status,
    wikis: status.wikis.filter((name) => rightsIn(rights, name) !== null),
    scope: scope.write.includes('') ? null : { read: scope.read, write: scope.write },
    read_only: status.read_only || scope.write.length === 0,
    sync: isShown ? sync : null,
    ...(!mayAdminister && { versions: {}, clone: null, problems: [] }),
  } satisfies Output<'wiki_status'>;
}

/** The wikis that the person may see. */
interface SeenWikis {
  wiki: Wiki;
  rights: Rights;
  /** The one that is configured; null if the person may not see it. */
  defaultWiki: string | null;
  /** Those that exist, sorted. */
  names(call: Call): Promise<string[]>;
  /** The error for a wiki that is not there, or that the person may not see: it does not differ. */
  missing(name: string | undefined, call: Call): Promise<WikiError>;
}

function seenWikis(wiki: Wiki, rights: Rights, configured: string | null): SeenWikis {
  const isSeen = (name: string) => rightsIn(rights, name) !== null;
  const defaultWiki = configured !== null && isSeen(configured) ? configured : null;
  const names = async ({ caller, signal }: Call) => {
    const { wikis } = await wiki.list_wikis({}, { caller, signal });
    return wikis.filter(isSeen);
  };
  const missing = async (name: string | undefined, call: Call) => {
    const present = await names(call);
    const [first] = present;
    if (name === undefined || first === undefined) return noWikiToSee(name);
    return noSuchWiki(name, present, defaultWiki ?? first);
  };
  return { wiki, rights, defaultWiki, names, missing };
}
