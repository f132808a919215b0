import { setTimeout as wait } from 'node:timers/promises';
import type { Access } from '@pagetree/access/parse-access';
import { openSigner, type SignGrant } from '@pagetree/access/sign-grant';
import type { LambdaBackend } from '@pagetree/backends/lambda-backend';
import type { Audit } from '../login/audit.ts';
import type { TeamPages } from '../login/person-sites.ts';
import { createTeamSite, type TeamSite } from '../login/team-site.ts';
import { openedOnce } from '../site/opened-once.ts';
import type { SharedParts } from '../site/site.ts';
import type { Config } from './config.ts';
import { EndedInTable } from './ended-in-table.ts';
import type { SiteAt } from './handler.ts';
import { openParameters } from './parameters.ts';

export interface TeamSitesOptions {
  config: Config;
  access: Access;
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
  cookieKey: Uint8Array;
}

/** The pages for people who log in, in one environment of several: they share keys, and a table of ended sessions. */
export function openTeamSites(options: TeamSitesOptions): { siteAt: SiteAt; warm(): Promise<void> } {
  const { config, access, backend, shared, pages, now } = options;
  const parameters = openParameters(config.parameters);
  const ended = new EndedInTable(config.sessions, now);
  const opened = openedOnce(async (): Promise<Opened> => {
    const { session, grants } = await parameters.keys();
    return { sign: await openSigner(grants, now), cookieKey: session };
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
  let site: { origin: string; site: TeamSite } | null = null;
  return {
    async siteAt(origin) {
      const { sign, cookieKey } = await opened();
      if (site?.origin !== origin) {
        const made = createTeamSite({
          pages: {
            ...pages,
            wikiFor: (person, rights) => backend.sealedWith((request) => sign(request, person, rights)),
          },
          origin,
          issuer: { issuer: config.issuer, clientId: config.clientId },
          clientSecret: () => parameters.clientSecret(),
          defaultWiki: config.wiki,
          access: () => access,
          audit: options.audit,
          key: cookieKey,
          clients: null,
          ...{ ended, now, shared },
        });
        site = { origin, site: made };
      }
      return site.site;
    },
    async warm() {
      await Promise.allSettled([opened().then(startWiki), shared.rendered.warm()]);
    },
  };
}

/** Lambda gives a start 10 s, and the keys may take some of them. */
const MAX_START_MS = 3_000;
