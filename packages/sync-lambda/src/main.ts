import { openAwsBackend } from '@pagetree/backends/lambda-backend';
import { publicFetch } from '@pagetree/outbound/public-fetch';
import { openPublicRemote, type PublicSurroundings } from '@pagetree/sync/open-public-remote';
import packageJson from '../package.json' with { type: 'json' };
import { readConfig } from './config.ts';
import { createHandler } from './handler.ts';
import { openSecrets } from './secrets.ts';

const { wikiFunction, secretsUnder } = readConfig();
const around: PublicSurroundings = {
  secretsUnder,
  readSecret: openSecrets(),
  fetch: publicFetch(),
  agentName: `pagetree/${packageJson.version}`,
};

/** @public Lambda calls it. */
export const handler = createHandler({
  wiki: openAwsBackend({ function: wikiFunction }, null).wiki,
  open: (settings, wiki) => openPublicRemote(settings, wiki, around),
  now: Date.now,
  random: Math.random,
  log: (sentence) => process.stdout.write(`${sentence}\n`),
});
