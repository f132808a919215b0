import { createHash } from 'node:crypto';

/** The name under which a request is remembered. */
export interface RequestName {
  bucket: string;
  name: string;
  /** When the id was made, in milliseconds since 1970; null if the id does not say. */
  madeAt: number | null;
}

/**
 * The id by which the wiki knows a request: the one that the caller gave, and after it whose it is. People who log in do
 * not share ids: otherwise a write with an id that another person used would be answered with their commit, and not made.
 */
export function requestIdOf(given: string, person: string | undefined): string {
  if (person === undefined) return given;
  const digest = createHash('sha256').update(person).digest('hex').slice(0, 32);
  return `${given}@${digest}`;
}

/** The id that the caller gave, for what a caller reads. */
export function givenId(requestId: string): string {
  return requestId.replace(OF_A_PERSON, '');
}

/** The prefix of the request ids under which foreign commits come in. No caller may use such an id. */
export const FOREIGN_REQUEST = 'external-commit-';

/**
 * A UUIDv7 contains the time at which it was made: it is remembered by the hour, so that whole hours can be
 * forgotten. Any other id, such as `1`, has no age: it is remembered by its hash for as long as the wiki
 * exists.
 */
export function requestNameOf(requestId: string): RequestName {
  const madeAt = timeOfUuid7(givenId(requestId));
  if (madeAt !== null) return { bucket: hourBucket(madeAt), name: requestId, madeAt };
  const hash = createHash('sha256').update(requestId).digest('hex');
  return { bucket: `named-${hash.charAt(0)}`, name: hash, madeAt: null };
}

/** `2026-11-20T23`: the UTC hour in which an id was made. */
function hourBucket(time: number): string {
  return new Date(time).toISOString().slice(0, 13);
}

const OF_A_PERSON = /@[0-9a-f]{32}$/;
const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const YEAR_10000 = Date.UTC(10_000, 0);

function timeOfUuid7(id: string): number | null {
  if (!UUID7.test(id)) return null;
  const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  return time < YEAR_10000 ? time : null;
}
