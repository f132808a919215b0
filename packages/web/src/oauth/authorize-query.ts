import type { Person } from '@pagetree/access/rights';
import { personDigest } from '../login/person.ts';
import { READ, WRITE } from './addresses.ts';

/**
 * The query of a request for authorization as the provider gets it. Scopes are those that are known here: clients name none,
 * or all that they have heard of, and what they get is what the person gives. The person who began is written into it.
 */
export function providersQuery(search: string, person: Person): string {
  const query = new URLSearchParams(search);
  const asked = (query.get('scope') ?? '').split(' ').filter((scope) => [READ, WRITE].includes(scope));
  query.set('scope', asked.length === 0 ? `${READ} ${WRITE}` : asked.join(' '));
  for (const name of OF_OPENID) query.delete(name);
  query.set(PERSON_PARAMETER, personDigest(person));
  return `?${query}`;
}

/** Nobody else may decide: the code goes to the browser that began, with the rights of the person who decided. */
export const PERSON_PARAMETER = 'pagetree_person';
/** The provider refuses them without the scope `openid`, which is not known here. */
const OF_OPENID = ['nonce', 'max_age', 'id_token_hint', 'acr_values', 'claims'];
