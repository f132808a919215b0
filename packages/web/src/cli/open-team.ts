import { randomBytes } from 'node:crypto';
import type { Backend } from '@pagetree/backends/backend';
import packageJson from '../../package.json' with { type: 'json' };
import { agentEndpoints } from '../agent-endpoints.ts';
import { createTeamClients } from '../clients/team-clients.ts';
import { type Audit, auditLine } from '../login/audit.ts';
import type { TeamPages } from '../login/person-sites.ts';
import { EndedInMemory } from '../login/sessions.ts';
import { createTeamSite } from '../login/team-site.ts';
import type { Site } from '../site/site.ts';
import type { AccessFile } from './access-file.ts';
import { quickClones } from './quick-clones.ts';
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
  const audit: Audit = (event) => auditLog(auditLine(new Date(), event));
  const reach = { access: () => rules.access, wikiFor: () => backend.wiki, defaultWiki, audit };
  const key = randomBytes(32);
  const open = agentEndpoints({ backend, canListen: true, log: pages.log });
  const clients = createTeamClients({
    ...reach,
    ...{ origin, issuer, records, open, key, log: pages.log, now: Date.now },
    version: packageJson.version,
  });
  const site = createTeamSite({
    pages: { ...pages, wikiFor: reach.wikiFor },
    clients: { ...clients, git: quickClones(clients.git) },
    origin,
    issuer: { issuer, clientId },
    clientSecret: async () => clientSecret,
    ...reach,
    key,
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
