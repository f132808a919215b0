import { type Rights, rightsIn } from '@pagetree/access/rights';
import type { Admission } from '../clients/admission.ts';
import { personDigest } from '../login/person.ts';
import type { Endpoint } from '../site/view-tools.ts';
import { refuseBrowsers, secretOf, unauthorized } from './credentials.ts';
import { createGitServer } from './git-server.ts';
import { Refusal } from './refusal.ts';

export interface PeopleGitOptions {
  admission: Admission;
  /** The version of Pagetree. */
  version: string;
  log(line: string): void;
}

/** Serves native git to people by their tokens, each with the rights of that moment within what the token was given. */
export function openPeopleGit({ admission, ...options }: PeopleGitOptions): Pick<Endpoint, 'fetch'> {
  const server = createGitServer(options);
  return {
    async fetch(request, sent) {
      try {
        refuseBrowsers(request);
        const secret = secretOf(request);
        const admitted = secret === null ? null : await admission.admit(secret);
        if (secret === null || admitted === null) throw unauthorized(NO_TOKEN);
        const { author, bearer, key, rights } = admitted;
        return await server.fetch(request, {
          wiki: admission.wikisOf(admitted).wiki,
          call: { caller: { author, agent: null } },
          person: personDigest(bearer.person),
          pushRefusal: (wiki) => {
            const refusal = pushRefusal(rights, wiki);
            if (refusal !== null) admission.refusedPush(admitted, wiki);
            return refusal;
          },
          until: admission.untilRevoked(secret, key, sent),
        });
      } catch (error) {
        if (error instanceof Refusal) return error.response();
        throw error;
      }
    },
  };
}

/** Null also for a wiki that the person may not see: it is answered as one that is not there. */
function pushRefusal(rights: Rights, wiki: string): string | null {
  return rightsIn(rights, wiki)?.write.length === 0 ? ONLY_READS : null;
}

const NO_TOKEN =
  'Make a token on the page of your tokens, and give it as the password, with any user name. One that has ended or was revoked does not count.';
const ONLY_READS = 'Nothing can be pushed with this token: it may only read this wiki.';
