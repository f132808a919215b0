import { connect, type Wiki, WikiError } from '@pagetree/wiki/contract';
import type { Config } from './config.ts';

/** Where the wiki is. */
export interface Backend {
  wiki: Wiki;
  /** Where it is, for people. */
  place: string;
}

/**
 * Opens what the configuration names, without waiting for it: a client that asks for the list of tools gets it at
 * once, and what stands in the way of the wiki is the answer of each tool.
 */
export function openBackend(config: Config): Backend {
  if (config.problems.length > 0) return { wiki: misconfigured(config.problems), place: config.directory };
  return { wiki: misconfigured([]), place: config.directory };
}

function misconfigured(problems: string[]): Wiki {
  return connect(async () => {
    throw new WikiError('backend_unavailable', {
      happened: `Pagetree is set up wrongly. ${problems.join(' ')}`,
      now: 'Nothing was read or changed.',
      next: "Tell the person who runs it to correct this in the client's settings and to start Pagetree again.",
    });
  });
}
