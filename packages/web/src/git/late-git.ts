import { openedOnce } from '../site/opened-once.ts';
import type { Endpoint } from '../site/view-tools.ts';
import type { GitOptions } from './open-git.ts';
import type { PeopleGitOptions } from './people-git.ts';

type Git = Pick<Endpoint, 'fetch'>;

/** Git for the person who runs the server, loaded when git comes first: pages need none of it. */
export function lateGit(options: GitOptions): Git {
  return late(async () => (await import('./open-git.ts')).openGit(options));
}

/** The same for people who log in. */
export function latePeopleGit(options: PeopleGitOptions): Git {
  return late(async () => (await import('./people-git.ts')).openPeopleGit(options));
}

function late(open: () => Promise<Git>): Git {
  const opened = openedOnce(open);
  return { fetch: async (request, sent, until) => (await opened()).fetch(request, sent, until) };
}

/** The address of a wiki for git, with what comes behind it. */
export const GIT_ADDRESS = '/:repository{[a-z0-9-]+\\.git}/*';
