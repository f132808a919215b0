import type { Scope } from '@pagetree/wiki/contract';
import { type Access, EVERY_WIKI, SUBJECT } from './parse-access.ts';

/** A person, as the issuer described them at login. */
export interface Person {
  issuer: string;
  subject: string;
  /** Only if the issuer says that it is verified; in lower case. */
  email: string | null;
  /** For people to see. No rule can name it: at most issuers everybody chooses it. */
  name: string;
  groups: readonly string[];
}

/**
 * The rights in one wiki. `write` is empty if nothing may be changed, which a call's scope cannot say. The folders are
 * sorted, and none lies in another one of the same list.
 */
export interface WikiRights extends Scope {
  /** Also what concerns the whole wiki or its server, such as maintenance. Then `read` and `write` are the whole wiki. */
  mayAdminister: boolean;
}

/**
 * The rights of a person: those in each wiki, by name. `*` has those in all wikis without an entry of their own; such
 * an entry contains them, and more. A wiki that has neither is not there for the person.
 */
export interface Rights {
  readonly wikis: ReadonlyMap<string, WikiRights>;
}

/** The rights that the rules give to a person: the union of all that match, nothing if none does. */
export function rightsOf(person: Person, access: Access): Rights {
  const rules = access.rules.filter((rule) => matches(person, rule));
  // Grouped once: a pass over all rules for each name takes seconds with 10,000 of both.
  const pairs = rules.flatMap((rule) => rule.wikis.map((name) => ({ name, rule })));
  const byName = Map.groupBy(pairs, ({ name }) => name);
  const rulesOf = (name: string) => (byName.get(name) ?? []).map(({ rule }) => rule);
  const general = rulesOf(EVERY_WIKI);
  const everywhere = union(general);
  const given = [...byName.keys()]
    .sort()
    .map((name) => [name, union([...rulesOf(name), ...general])] as const);
  const isOfItsOwn = (rights: WikiRights) => JSON.stringify(rights) !== JSON.stringify(everywhere);
  return { wikis: new Map(given.filter(([name, rights]) => name === EVERY_WIKI || isOfItsOwn(rights))) };
}

/** The rights in one wiki, be it there or not; null if the person must not know of it. */
export function rightsIn({ wikis }: Rights, wiki: string): WikiRights | null {
  return wikis.get(wiki) ?? wikis.get(EVERY_WIKI) ?? null;
}

/** The folders that lie in a folder of both lists. */
export function commonFolders(some: readonly string[], others: readonly string[]): string[] {
  const common = some.flatMap((folder) =>
    others.flatMap((other) => {
      if (folder.startsWith(other)) return [folder];
      return other.startsWith(folder) ? [other] : [];
    }),
  );
  return reduced(common);
}

/** A text that is equal for equal rights: caches are kept by it. */
export function rightsKey({ wikis }: Rights): string {
  const entries = [...wikis].map(([name, { read, write, mayAdminister }]) => [
    name,
    read,
    write,
    mayAdminister,
  ]);
  return JSON.stringify(entries);
}

function matches({ subject, email, groups }: Person, rule: Access['rules'][number]): boolean {
  if (rule.everyone) return true;
  // An address must not pass for the subject of somebody else.
  const isNamed = rule.people?.some((entry) =>
    entry.startsWith(SUBJECT) ? entry === `${SUBJECT}${subject}` : entry === email,
  );
  return isNamed === true || (rule.groups?.some((group) => groups.includes(group)) ?? false);
}

function union(here: Access['rules']): WikiRights {
  const foldersOf = (some: Access['rules']) => reduced(some.flatMap(({ folders }) => folders ?? ['']));
  return {
    read: foldersOf(here),
    write: foldersOf(here.filter(({ may }) => may !== 'read')),
    mayAdminister: here.some(({ may }) => may === 'administer'),
  };
}

/** The same folders without those that lie in another one, sorted. */
function reduced(folders: readonly string[]): string[] {
  const sorted = [...new Set(folders)].sort();
  return sorted.filter((folder) => !sorted.some((other) => other !== folder && folder.startsWith(other)));
}
