import './mark-import.ts';

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type OpenedWiki, openWiki } from '@pagetree/wiki';
import type { Wiki } from '@pagetree/wiki/contract';
import packageJson from '../package.json' with { type: 'json' };
import { type Admit, admitAll, admitGranted } from './admission.ts';
import { callLimits } from './call-limits.ts';
import { type Config, currentTraceHeader, readConfig } from './config.ts';
import { createHandler, type Handler } from './handler.ts';
import { describeMount, findMount, mountProblems } from './mount.ts';
import { requirePlace } from './place-marker.ts';
import { misconfigured, refuseWrites, serveWiki } from './served-wiki.ts';
import { createTracer, type Tracer, untraced } from './tracing.ts';
import { xraySender } from './xray-daemon.ts';

/** Lambda gives the start 10 s, and more to environments that are started before any call. */
const OPEN_LIMIT_MS = 5_000;
const PROVISIONED_LIMIT_MS = 60_000;

const importBeganMs = performance.getEntriesByName('import begins')[0]?.startTime ?? 0;
const importedMs = performance.now();
const config = readConfig();
const clock = { now: Date.now, monotonic: () => performance.now() };
const tracer = openTracer(config);
const admit = await admission(await serve(config));

export const handler: Handler = createHandler({
  admit,
  functionName: config.functionName,
  tracer,
  traceHeader: currentTraceHeader,
  log: (line) => process.stdout.write(`${line}\n`),
  init: { runtime: importBeganMs, import: importedMs, open: performance.now() },
  clock,
});

/**
 * The wiki that the configuration names, opened; or one that answers every call with the reason why it cannot
 * be.
 */
async function serve(config: Config): Promise<Wiki> {
  if (config.problems.length > 0) return misconfigured(config.problems);
  const { wiki, opened } = serveWiki(() => open(config));
  // Pages for people need the index, and the function that shows them starts this one before the first of them.
  const index = config.provisioned || config.grantKey !== null;
  const ready = opened().then((wikis) => wikis.warm({ index }));
  const limit = wait(config.provisioned ? PROVISIONED_LIMIT_MS : OPEN_LIMIT_MS, undefined, { ref: false });
  // The calls report it, and try again.
  await Promise.race([ready.catch(() => {}), limit]);
  return config.readOnly ? refuseWrites(wiki, config.functionName) : wiki;
}

async function admission(wiki: Wiki): Promise<Admit> {
  const { grantKey, wiki: defaultWiki, problems } = config;
  if (grantKey === null || problems.length > 0) return admitAll(wiki);
  return admitGranted(wiki, { key: grantKey, defaultWiki, now: clock.now });
}

async function open({
  directory,
  wiki,
  place,
  readOnly,
  functionName,
  memoryMib,
}: Config): Promise<OpenedWiki> {
  if (place !== null) await requirePlace(directory, place, { readOnly, now: clock.now });
  const mount = findMount(readFileSync('/proc/self/mountinfo', 'utf8'), directory);
  const versions = {
    pagetree: packageJson.version,
    node: process.version,
    function: functionName,
    mount: mount === null ? 'unknown' : describeMount(mount),
  };
  const problems = mountProblems(mount, directory, readOnly);
  const host = { backend: 'lambda', versions, problems, ...callLimits(memoryMib) };
  return openWiki({ directory, wiki, placement: 'shared', readOnly, host, trace: tracer.phase });
}

function openTracer({ xrayDaemon }: Config): Tracer {
  if (xrayDaemon === null) return untraced;
  return createTracer({ send: xraySender(xrayDaemon), clock, randomBytes });
}
