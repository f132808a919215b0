import { readFileSync } from 'node:fs';
import { openAwsBackend } from '@pagetree/backends/lambda-backend';
import { auditLine } from '../login/audit.ts';
import { createSharedParts } from '../site/site.ts';
import type { RenderedPages } from '../site/views/rendered-pages.ts';
import type { BuiltParts } from './built-parts.ts';
import { type ReadConfig, readConfig } from './config.ts';
import type { Handler } from './function-url.ts';
import { createHandler, misconfigured, type SiteAt } from './handler.ts';
import { openTeamSites } from './team-sites.ts';

const log = (line: string) => process.stdout.write(`${line}\n`);

/** The handler of the function, when everything is ready for its first request. `warmed` resolves when `rendered` is. */
export async function openHandler(rendered: RenderedPages, warmed: Promise<unknown>): Promise<Handler> {
  const read = readConfig();
  const [siteAt] = await Promise.all([openSites(read, rendered), warmed]);
  return createHandler({ siteAt, origin: read.kind === 'config' ? read.config.origin : null, log });
}

async function openSites(read: ReadConfig, rendered: RenderedPages): Promise<SiteAt> {
  if (read.kind === 'problems') return misconfigured(read.problems);
  const { config } = read;
  const { build, stylesheet, script, editor, graph, diagrams }: BuiltParts = JSON.parse(
    readBeside('site.json'),
  );
  const sites = openTeamSites({
    config,
    backend: openAwsBackend(config.aws, config.wiki),
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
