import { connect, WikiError } from '@pagetree/wiki/contract';
import type { Backend, BackendOptions, Versions } from './backend.ts';
import type { Config } from './config.ts';
import { openAwsBackend } from './lambda-backend.ts';
import { openLocalBackend } from './local-backend.ts';

/**
 * What the configuration names. It is opened without being waited for: a client that asks for the list of tools gets
 * it at once, and what stands in the way of the wiki is the answer of each tool.
 */
export function openBackend(config: Config, versions: Versions, options: BackendOptions): Backend {
  if (config.problems.length > 0) return misconfigured(config);
  if (config.aws !== null) return openAwsBackend(config.aws, config.wiki);
  return openLocalBackend(config, versions, options);
}

function misconfigured({ directory, problems }: Config): Backend {
  const wiki = connect(async () => {
    throw new WikiError('backend_unavailable', {
      happened: `Pagetree is set up wrongly. ${problems.join(' ')}`,
      now: 'Nothing was read or changed.',
      next: "Tell the person who runs it to correct this in the client's settings and to start Pagetree again.",
    });
  });
  return { wiki, place: directory, watchEveryMs: 60_000, close: async () => {} };
}
