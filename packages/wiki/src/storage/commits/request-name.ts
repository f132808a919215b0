import { createHash } from 'node:crypto';

/** The name under which a request is remembered. */
export interface RequestName {
  bucket: string;
  name: string;
  /** When the id was made, in milliseconds since 1970; null if the id does not say. */
  madeAt: number | null;
}

/**
 * A UUIDv7 contains the time at which it was made: it is remembered by the hour, so that whole hours can be
 * forgotten. Any other id, such as `1`, has no age: it is remembered by its hash for as long as the wiki
 * exists.
 */
export function requestNameOf(requestId: string): RequestName {
  const madeAt = timeOfUuid7(requestId);
  if (madeAt !== null) return { bucket: hourBucket(madeAt), name: requestId, madeAt };
  const hash = createHash('sha256').update(requestId).digest('hex');
  return { bucket: `named-${hash.charAt(0)}`, name: hash, madeAt: null };
}

/** `2026-11-20T23`: the UTC hour in which an id was made. */
function hourBucket(time: number): string {
  return new Date(time).toISOString().slice(0, 13);
}

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const YEAR_10000 = Date.UTC(10_000, 0);

function timeOfUuid7(requestId: string): number | null {
  if (!UUID7.test(requestId)) return null;
  const time = Number.parseInt(requestId.slice(0, 8) + requestId.slice(9, 13), 16);
  return time < YEAR_10000 ? time : null;
}
