import { expect } from 'vitest';
import { pagesOf } from './planned-changes.ts';
import type { Effect } from './requests.ts';
import { addressOf, fileOf, type VaultState } from './vault-state.ts';

/** Every page whose links were rewritten is reported, each once. */
export function checkUpdated(before: VaultState, after: VaultState, effect: Effect): void {
  const { went, written, changed, answer } = effect;
  if (answer.updated_pages === undefined) return;
  const isOther = (path: string) => went.get(path) === path && !written.has(path) && !changed.has(path);
  const differs = (path: string) => `${before.files.get(path)}` !== `${after.files.get(path)}`;
  const others = pagesOf(before).filter((path) => isOther(path) && differs(path));
  const named = (answer.pages ?? []).map(({ path }) => path);
  const reported = answer.updated_pages;
  // Two folders may have moved into one: then the new one is named with each of the old ones.
  const rows = (answer.pages ?? []).map(({ path, previous_path: from }) =>
    JSON.stringify([path, path.endsWith('/') && from]),
  );
  for (const list of [reported, rows]) expect(new Set(list).size, `each once: ${list}`).toBe(list.length);
  expect(answer.updated_total).toBe(reported.length);
  expect([...reported, ...named], 'pages that were rewritten').toEqual(
    expect.arrayContaining(others.map(addressOf)),
  );
  const now = reported.filter((page) => isOther(fileOf(page)) && !named.includes(page));
  expect(now.toSorted(), 'updated_pages').toEqual(
    others
      .map(addressOf)
      .filter((page) => !named.includes(page))
      .toSorted(),
  );
}
