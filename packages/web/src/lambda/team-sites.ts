import { agentEndpoints } from '../agent-endpoints.ts';
import { createTeamClients, type TeamClientsOptions } from '../clients/team-clients.ts';
import type { Audit } from '../login/audit.ts';
import { EndedInRecords } from '../login/ended-in-records.ts';
import type { TeamPages } from '../login/person-sites.ts';
import { createTeamSite, type TeamSite } from '../login/team-site.ts';
import { StoredRules } from '../records/stored-rules.ts';
import type { SharedParts } from '../site/site.ts';
import type { Config } from './config.ts';
import type { SiteAt } from './handler.ts';
import { RecordsInTable } from './records-in-table.ts';
import type { OpenedKeys, StartedWiki } from './start-wiki.ts';

export interface TeamSitesOptions {
  config: Config;
  wiki: StartedWiki;
  audit: Audit;
  shared: SharedParts;
  pages: Omit<TeamPages, 'wikiFor' | 'hosts' | 'origin'>;
  /** In milliseconds since 1970. */
  now(): number;
}

/** The pages for people who log in, in one environment of several: they share keys, and records in a table. */
export function openTeamSites(options: TeamSitesOptions): { siteAt: SiteAt; warm(): Promise<void> } {
  const { config, wiki, shared, pages, audit, now } = options;
  const { backend, parameters, keys } = wiki;
  const records = RecordsInTable.open(config.records, now);
  const rules = new StoredRules(records, now);
  const ended = new EndedInRecords(records, now);
  const siteFor = (origin: string, { sign, session: key }: OpenedKeys): TeamSite => {
    const { issuer, clientId, wiki: defaultWiki } = config;
    const reach: Pick<TeamClientsOptions, 'wikiFor' | 'access' | 'defaultWiki' | 'audit'> = {
      access: () => rules.access,
      wikiFor: (person, rights) => backend.sealedWith((request) => sign(request, person, rights)),
      defaultWiki,
      audit,
    };
    const open = agentEndpoints({ backend, canListen: false, log: pages.log });
    return createTeamSite({
      pages: { ...pages, wikiFor: reach.wikiFor },
      clients: createTeamClients({
        ...reach,
        ...{ origin, issuer, records, open, key, log: pages.log, now },
        version: pages.build,
        look: () => rules.look(),
      }),
      origin,
      issuer: { issuer, clientId },
      clientSecret: () => parameters.clientSecret(),
      ...reach,
      ...{ key, ended, now, shared },
    });
  };
  let site: { origin: string; site: TeamSite } | null = null;
  return {
    async siteAt(origin) {
      const [parts] = await Promise.all([keys(), rules.look()]);
      if (site?.origin !== origin) site = { origin, site: siteFor(origin, parts) };
      return site.site;
    },
    async warm() {
      await Promise.allSettled([keys(), wiki.started, rules.look()]);
    },
  };
}
