import { setTimeout as wait } from 'node:timers/promises';
import { openSigner, type SignGrant } from '@pagetree/access/sign-grant';
import type { LambdaBackend } from '@pagetree/backends/lambda-backend';
import { agentEndpoints } from '../agent-endpoints.ts';
import { createTeamClients, type TeamClientsOptions } from '../clients/team-clients.ts';
import type { Audit } from '../login/audit.ts';
import { EndedInRecords } from '../login/ended-in-records.ts';
import type { TeamPages } from '../login/person-sites.ts';
import { createTeamSite, type TeamSite } from '../login/team-site.ts';
import { StoredRules } from '../records/stored-rules.ts';
import { openedOnce } from '../site/opened-once.ts';
import type { SharedParts } from '../site/site.ts';
import type { Config } from './config.ts';
import type { SiteAt } from './handler.ts';
import { openParameters } from './parameters.ts';
import { RecordsInTable } from './records-in-table.ts';

export interface TeamSitesOptions {
  config: Config;
  backend: LambdaBackend;
  audit: Audit;
  shared: SharedParts;
  pages: Omit<TeamPages, 'wikiFor' | 'hosts' | 'origin'>;
  /** In milliseconds since 1970. */
  now(): number;
}

/** The parts that need the keys. */
interface Opened {
  sign: SignGrant;
  key: Uint8Array;
}

/** The pages for people who log in, in one environment of several: they share keys, and records in a table. */
export function openTeamSites(options: TeamSitesOptions): { siteAt: SiteAt; warm(): Promise<void> } {
  const { config, backend, shared, pages, audit, now } = options;
  const parameters = openParameters(config.parameters);
  const records = RecordsInTable.open(config.records, now);
  const rules = new StoredRules(records, now);
  const ended = new EndedInRecords(records, now);
  const opened = openedOnce(async (): Promise<Opened> => {
    const { session, grants } = await parameters.keys();
    return { sign: await openSigner(grants, now), key: session };
  });
  /**
   * Starts an environment of the wiki's function while this one starts, by a call that may see nothing. It is waited for:
   * the call of the first page would not wait, and start one more environment.
   */
  const startWiki = async ({ sign }: Opened) => {
    const nobody = { issuer: config.issuer, subject: '' };
    const wiki = backend.sealedWith((request) => sign(request, nobody, { wikis: new Map() }));
    const started = wiki.list_wikis({}, { caller: { author: { name: 'Pagetree', email: '' }, agent: null } });
    // The first call for a person reports what is wrong.
    await Promise.race([started.catch(() => {}), wait(MAX_START_MS, undefined, { ref: false })]);
  };
  const siteFor = (origin: string, { sign, key }: Opened): TeamSite => {
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
      const [parts] = await Promise.all([opened(), rules.look()]);
      if (site?.origin !== origin) site = { origin, site: siteFor(origin, parts) };
      return site.site;
    },
    async warm() {
      await Promise.allSettled([opened().then(startWiki), rules.look()]);
    },
  };
}

/** Lambda gives a start 10 s, and the keys may take some of them. */
const MAX_START_MS = 3_000;
