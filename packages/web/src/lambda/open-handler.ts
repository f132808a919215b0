import { readFileSync } from 'node:fs';
import { auditLine } from '../login/audit.ts';
import { createSharedParts } from '../site/site.ts';
import type { RenderedPages } from '../site/views/rendered-pages.ts';
import type { BuiltParts } from './built-parts.ts';
import type { Handler } from './function-url.ts';
import { createHandler, misconfigured, type SiteAt } from './handler.ts';
import type { ConfiguredWiki } from './start-wiki.ts';
import { openTeamSites } from './team-sites.ts';

const log = (line: string) => process.stdout.write(`${line}\n`);

/** What runs before this code is loaded. */
export interface Begun {
  rendered: RenderedPages;
  /** Resolves when `rendered` is ready. */
  warmed: Promise<unknown>;
  wiki: ConfiguredWiki;
}

/** The handler of the function, when everything is ready for its first request. */
export async function openHandler(begun: Begun): Promise<Handler> {
  const { wiki, warmed } = begun;
  const [siteAt] = await Promise.all([openSites(begun), warmed]);
  return createHandler({ siteAt, origin: wiki.kind === 'started' ? wiki.config.origin : null, log });
}

async function openSites({ rendered, wiki: configured }: Begun): Promise<SiteAt> {
  if (configured.kind === 'problems') return misconfigured(configured.problems);
  const { config, wiki } = configured;
  const { build, stylesheet, script, editor, graph, diagrams }: BuiltParts = JSON.parse(
    readBeside('site.json'),
  );
  const sites = openTeamSites({
    config,
    wiki,
    audit: (event) => log(auditLine(new Date(), event)),
    shared: createSharedParts({}, rendered),
    pages: {
      ...{ stylesheet, script, editor, build, log },
      graph: { ...graph, text: () => readBeside('graph.js') },
      diagrams: { ...diagrams, html: () => readBeside('diagrams.html') },
      notices: () => readBeside('THIRD-PARTY-NOTICES.txt'),
    },
    now: Date.now,
  });
  // Here, as the init phase has a whole processor. What fails is reported by the request that needs it.
  await sites.warm();
  return sites.siteAt;
}

function readBeside(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
