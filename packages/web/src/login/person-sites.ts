import { createHash } from 'node:crypto';
import { limitToRights } from '@pagetree/access/limit-to-rights';
import type { Access } from '@pagetree/access/parse-access';
import { type Person, type Rights, rightsIn, rightsKey, rightsOf } from '@pagetree/access/rights';
import { liesIn, type Wiki } from '@pagetree/wiki/contract';
import { LRUCache } from 'lru-cache';
import { Live } from '../site/live/live.ts';
import { createSite, type SharedParts, type Site } from '../site/site.ts';
import { askerOf, type SiteOptions } from '../site/view-tools.ts';
import type { Audit } from './audit.ts';
import { authorOf, personDigest } from './person.ts';
import { formProof, type Session } from './sessions.ts';

export interface TeamPages
  extends Omit<SiteOptions, 'wiki' | 'scope' | 'author' | 'person' | 'mayWrite' | 'keptBy' | 'mcp'> {
  /** The wiki that a person with these rights asks. It need not keep to them. */
  wikiFor(person: Person, rights: Rights): Wiki;
}

export interface PersonSitesOptions {
  pages: TeamPages;
  /** The configured default wiki, or null. */
  defaultWiki: string | null;
  audit: Audit;
  shared: SharedParts;
}

/**
 * A site for each session, which has nothing of any other person: its wiki is limited to the rights of the person, and
 * its entity tags are of this session alone. Shared are threads, room in memory, and caches whose keys contain the
 * rights: whatever they hold follows from the rights and from what the rights let see.
 */
export class PersonSites {
  readonly #options: PersonSitesOptions;
  readonly #sites = new LRUCache<string, { access: Access; key: string; site: Site }>({ max: MAX_SITES });
  /** The streams of those who have equal rights. */
  readonly #streams = new Map<string, Live>();

  constructor(options: PersonSitesOptions) {
    this.#options = options;
  }

  /** The site of a session under the present rules. */
  of(session: Session, access: Access): Site {
    const kept = this.#sites.get(session.id);
    if (kept !== undefined && kept.access === access) return kept.site;
    const rights = rightsOf(session.person, access);
    const key = digestOf(rightsKey(rights));
    const site = kept !== undefined && kept.key === key ? kept.site : this.#make(session, rights, key);
    this.#sites.set(session.id, { access, key, site });
    return site;
  }

  forget({ id }: Session): void {
    this.#sites.delete(id);
  }

  #make({ id, person }: Session, rights: Rights, key: string): Site {
    const { pages, defaultWiki, audit, shared } = this.#options;
    const { issuer, subject, name } = person;
    const digest = personDigest(person);
    const wiki = limitToRights(pages.wikiFor(person, rights), rights, {
      person,
      defaultWiki,
      decided: (decision) => audit({ event: 'access', person: { issuer, subject }, decision }),
    });
    const live = this.#streamsOf(person, rights, key);
    return createSite(
      {
        ...pages,
        wiki,
        scope: null,
        author: authorOf(person),
        person: { name, token: formProof({ id }, 'sign out'), digest },
        mayWrite: (wiki, path) => liesIn(rightsIn(rights, wiki)?.write ?? [], path),
        keptBy: key,
        build: `${pages.build}-${digestOf(`${id} ${key}`)}`,
      },
      live === undefined ? shared : { ...shared, live },
    );
  }

  #streamsOf(person: Person, rights: Rights, key: string): Live | undefined {
    const { pages, defaultWiki } = this.#options;
    if (pages.pause === undefined) return undefined;
    const kept = this.#streams.get(key);
    if (kept !== undefined) return kept;
    for (const [each, live] of this.#streams) if (live.isIdle) this.#streams.delete(each);
    // A look for changes, four times a second, is no access of a person: that is when the stream begins.
    const options = { person, defaultWiki, decided: () => {} };
    const wiki = limitToRights(pages.wikiFor(person, rights), rights, options);
    const live = new Live({ ask: askerOf(wiki, null) }, pages.pause);
    this.#streams.set(key, live);
    return live;
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** A site without its caches is some ten kilobytes. */
const MAX_SITES = 500;
