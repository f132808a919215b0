import { connect, WikiError } from '@pagetree/wiki/contract';
import type { Backend, BackendOptions, Versions } from './backend.ts';
import type { WikiPlace } from './config.ts';
import { openAwsBackend } from './lambda-backend.ts';
import { openLocalBackend } from './local-backend.ts';

/**
 * The configured backend. Opens it without waiting: a client that requests the list of tools gets it at once,
 * and if the wiki cannot be opened, every tool answers with the reason.
 */
export function openBackend(config: WikiPlace, versions: Versions, options: BackendOptions): Backend {
  if (config.problems.length > 0) return misconfigured(config);
  if (config.aws !== null) return openAwsBackend(config.aws, config.wiki);
  return openLocalBackend(config, versions, options);
}

function misconfigured({ directory, problems }: WikiPlace): Backend {
  const wiki = connect(async () => {
    throw new WikiError('backend_unavailable', {
      happened: `Pagetree is set up wrongly. ${problems.join(' ')}`,
      now: 'Nothing was read or changed.',
      next: "Tell the person who runs it to correct this in the client's settings and to start Pagetree again.",
      atTerminal: 'Correct this and try again.',
    });
  });
  return { wiki, isRemote: false, place: directory, watchEveryMs: 60_000, close: async () => {} };
}
