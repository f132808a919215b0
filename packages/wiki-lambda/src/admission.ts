import type { Granted } from '@pagetree/access/grants';
import { limitToRights } from '@pagetree/access/limit-to-rights';
import { openGrantReader } from '@pagetree/access/read-grant';
import type { Wiki, WikiError } from '@pagetree/wiki/contract';

export type Admitted =
  /** `person`: the one who logged in; null if the caller needs no grant, since IAM let it call. */
  | { kind: 'admitted'; wiki: Wiki; request: unknown; person: Granted | null }
  /** `why` is for the log. */
  | { kind: 'refused'; error: WikiError; why: string };

/** Says what an event from outside may do. */
export type Admit = (event: unknown) => Promise<Admitted>;

/** For a function whose callers IAM alone chooses. A grant is refused with the request, as an unknown field. */
export function admitAll(wiki: Wiki): Admit {
  return async (event) => ({ kind: 'admitted', wiki, request: event, person: null });
}

/**
 * For the function of people who log in: each call needs a grant, and gets the wiki within the rights in it, whatever else
 * the caller claims.
 *
 * @param options.key The public key of the grants.
 * @param options.defaultWiki The configured one, or null.
 */
export async function admitGranted(
  wiki: Wiki,
  { key, defaultWiki, now }: { key: string; defaultWiki: string | null; now: () => number },
): Promise<Admit> {
  const read = await openGrantReader(key, now);
  return async (event) => {
    const grant = await read(event);
    if (grant.kind === 'refused') return grant;
    const { request, person, rights } = grant;
    // The decisions of the web function are in its log; a refusal here is the outcome in ours.
    const limited = limitToRights(wiki, rights, { person, defaultWiki, decided: () => {} });
    return { kind: 'admitted', wiki: limited, request, person };
  };
}
