import type { Access } from '@pagetree/access/parse-access';
import type { Person, Rights } from '@pagetree/access/rights';
import type { Reaching } from '@pagetree/outbound/reaching';
import type { Wiki } from '@pagetree/wiki/contract';
import { Hono } from 'hono';
import { latePeopleGit } from '../git/late-git.ts';
import type { Audit } from '../login/audit.ts';
import type { TeamClients } from '../login/team-site.ts';
import { resourceOf } from '../oauth/addresses.ts';
import { Gifts } from '../oauth/gifts.ts';
import { oauthRoutes } from '../oauth/oauth-routes.ts';
import type { Records } from '../records/records.ts';
import { Admission } from './admission.ts';
import { Agents, type AgentsOptions } from './agents.ts';
import { clientRoutes } from './client-routes.ts';
import { KnownPeople } from './known-people.ts';
import { PersonalTokens } from './personal-tokens.ts';

export interface TeamClientsOptions extends Pick<AgentsOptions, 'look'> {
  /** The origin of the pages in the browser. */
  origin: string;
  /** The address of the issuer where people log in. */
  issuer: string;
  records: Records;
  /** The rules as they are now. */
  access(): Access;
  /** The wiki that a person with these rights asks. It need not keep to them. */
  wikiFor(person: Person, rights: Rights): Wiki;
  /** The configured default wiki, or null. */
  defaultWiki: string | null;
  audit: Audit;
  open: AgentsOptions['open'];
  /** 32 bytes, the same in each process of the address. */
  key: Uint8Array;
  log(line: string): void;
  /** The version of Pagetree, which git shows in traces. */
  version: string;
  /** In milliseconds since 1970. */
  now(): number;
  /** How the metadata of clients is reached; by default, in the public Internet. */
  reaching?: Reaching;
}

/** The clients that act for people, by tokens that these make, and by OAuth. */
export function createTeamClients(
  options: TeamClientsOptions,
): TeamClients & { people: KnownPeople; tokens: PersonalTokens; gifts: Gifts } {
  const { origin, issuer, records, now } = options;
  const people = new KnownPeople(records, issuer, now);
  const tokens = new PersonalTokens(records, people, now);
  const gifts = new Gifts(records, people, resourceOf(origin), now);
  return {
    ...{ people, tokens, gifts },
    agents: new Agents({ ...options, bearers: [tokens, gifts] }),
    // A gift by OAuth is for /mcp alone.
    git: latePeopleGit({
      admission: new Admission({ ...options, bearers: [tokens] }),
      version: options.version,
      log: options.log,
    }),
    remember: (person) => people.remember(person),
    isUnchanged: (person) => people.isUnchanged(person),
    routes(pages) {
      const parts = { ...options, ...pages, people, tokens, gifts };
      return new Hono().route('/', clientRoutes(parts)).route('/', oauthRoutes(parts));
    },
  };
}
