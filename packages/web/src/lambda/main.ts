import { readFileSync } from 'node:fs';
import { openAwsBackend } from '@pagetree/backends/lambda-backend';
import { createSite, type Site } from '../site/site.ts';
import type { BuiltParts } from './built-parts.ts';
import { type Config, readConfig } from './config.ts';
import { createHandler, misconfigured } from './handler.ts';

const site = openSite(readConfig());
// Here, as the init phase has a whole processor. A page that cannot be rendered is reported by its request.
await site.warm().catch(() => {});

/** @public Lambda calls it. */
export const handler = createHandler(site);

function openSite({ aws, wiki, scope, hosts, problems }: Config): Site {
  if (aws === null || problems.length > 0) return misconfigured(problems);
  const { build, stylesheet, script, graph, diagrams }: BuiltParts = JSON.parse(readBeside('site.json'));
  return createSite({
    wiki: openAwsBackend(aws, wiki).wiki,
    scope,
    // There is no login, so nobody could be the author.
    author: null,
    hosts,
    stylesheet,
    script,
    // No form is shown without an author.
    editor: '',
    graph: { ...graph, text: () => readBeside('graph.js') },
    diagrams: { ...diagrams, html: () => readBeside('diagrams.html') },
    notices: () => readBeside('THIRD-PARTY-NOTICES.txt'),
    build,
    log: (line) => process.stdout.write(`${line}\n`),
  });
}

function readBeside(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
