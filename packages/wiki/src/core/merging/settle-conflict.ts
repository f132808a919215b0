import { setTimeout } from 'node:timers/promises';
import { findPage } from '../pages/find-page.ts';
import type { Change } from '../ports.ts';
import type { Session } from '../session.ts';
import { openConflicts } from './open-conflicts.ts';

/**
 * True if a page that a write left as it is has an open conflict, so that the write means to keep it. False too if the
 * index takes too long or fails: a write never waits for it.
 */
export async function isInConflict(
  session: Pick<Session, 'repository' | 'index'>,
  path: string,
): Promise<boolean> {
  const found = session.repository
    .head()
    .then((head) => openConflicts(session, head, path))
    .then(
      (conflicts) => conflicts.length > 0,
      () => false,
    );
  const timer = new AbortController();
  try {
    return await Promise.race([found, setTimeout(MAX_WAIT_MS, false, { ref: false, signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}

const MAX_WAIT_MS = 3_000;

/** The same change which, if it leaves the page as it is, makes a commit that says so. */
export function keepingPage(path: string, apply: Change['apply']): Change['apply'] {
  return async (base) => {
    const applied = await apply(base);
    if (applied.files.length > 0) return applied;
    const entry = await findPage(base, path);
    return { ...applied, keeps: entry?.path };
  };
}
