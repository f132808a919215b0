import { randomBytes } from 'node:crypto';
import type { Backend } from '@pagetree/backends/backend';
import { Agents } from '../clients/agents.ts';
import { KnownPeople } from '../clients/known-people.ts';
import { PersonalTokens } from '../clients/personal-tokens.ts';
import { type Audit, auditLine } from '../login/audit.ts';
import type { TeamPages } from '../login/person-sites.ts';
import { EndedInMemory } from '../login/sessions.ts';
import { createTeamSite } from '../login/team-site.ts';
import { resourceOf } from '../oauth/addresses.ts';
import { Gifts } from '../oauth/gifts.ts';
import type { Site } from '../site/site.ts';
import type { AccessFile } from './access-file.ts';
import { agentEndpoints } from './mcp.ts';
import type { SqliteRecords } from './sqlite-records.ts';
import type { TeamSettings } from './team-settings.ts';

export interface TeamParts extends Omit<TeamPages, 'wikiFor' | 'hosts' | 'origin'> {
  backend: Backend;
  /** The configured default wiki, or null. */
  defaultWiki: string | null;
  settings: TeamSettings;
  rules: AccessFile;
  records: SqliteRecords;
  /** Writes a line without anything before it. */
  auditLog(line: string): void;
}

/**
 * The pages for people who log in, in one process: its key is made at the start, so that its end ends all sessions.
 */
export function openTeam(parts: TeamParts): Site {
  const { backend, defaultWiki, settings, rules, records, auditLog, ...pages } = parts;
  const { origin, issuer, clientId, clientSecret } = settings;
  const people = new KnownPeople(records, issuer, Date.now);
  const tokens = new PersonalTokens(records, people, Date.now);
  const gifts = new Gifts(records, people, resourceOf(origin), Date.now);
  const audit: Audit = (event) => auditLog(auditLine(new Date(), event));
  const reach = { access: () => rules.access, wikiFor: () => backend.wiki, defaultWiki, audit };
  const open = agentEndpoints(backend, pages.log);
  const agents = new Agents({ ...reach, origin, bearers: [tokens, gifts], open });
  const site = createTeamSite({
    pages: { ...pages, wikiFor: reach.wikiFor },
    clients: { records, people, tokens, gifts, agents },
    origin,
    issuer: { issuer, clientId },
    clientSecret: async () => clientSecret,
    ...reach,
    key: randomBytes(32),
    ended: new EndedInMemory(Date.now),
    now: Date.now,
  });
  const stop = new AbortController();
  rules.follow(() => site.accessChanged(), stop.signal);
  const end = async () => {
    stop.abort();
    await site.end();
    records.close();
  };
  return { ...site, end };
}
