import { randomBytes } from 'node:crypto';
import type { Backend } from '@pagetree/backends/backend';
import { auditLine } from '../login/audit.ts';
import type { TeamPages } from '../login/person-sites.ts';
import { EndedInMemory } from '../login/sessions.ts';
import { createTeamSite } from '../login/team-site.ts';
import type { Site } from '../site/site.ts';
import type { AccessFile } from './access-file.ts';
import type { TeamSettings } from './team-settings.ts';

export interface TeamParts extends Omit<TeamPages, 'wikiFor' | 'hosts' | 'origin'> {
  backend: Backend;
  /** The configured default wiki, or null. */
  defaultWiki: string | null;
  settings: TeamSettings;
  rules: AccessFile;
  /** Writes a line without anything before it. */
  auditLog(line: string): void;
}

/**
 * The pages for people who log in, in one process: its key is made at the start, so that its end ends all sessions.
 */
export function openTeam(parts: TeamParts): Site {
  const { backend, defaultWiki, settings, rules, auditLog, ...pages } = parts;
  const { origin, issuer, clientId, clientSecret } = settings;
  const site = createTeamSite({
    pages: { ...pages, wikiFor: () => backend.wiki },
    origin,
    issuer: { issuer, clientId },
    clientSecret: async () => clientSecret,
    defaultWiki,
    access: () => rules.access,
    audit: (event) => auditLog(auditLine(new Date(), event)),
    key: randomBytes(32),
    ended: new EndedInMemory(Date.now),
    now: Date.now,
  });
  const stop = new AbortController();
  rules.follow(() => site.accessChanged(), stop.signal);
  const end = async () => {
    stop.abort();
    await site.end();
  };
  return { ...site, end };
}
