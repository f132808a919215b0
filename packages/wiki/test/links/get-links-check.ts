import { expect } from 'vitest';
import type { TestWiki } from '../operations/test-wiki.ts';
import { pagesOf } from './planned-changes.ts';
import { addressOf, type VaultState } from './vault-state.ts';

/** Checks every link of the wiki, as get_links has it, against the slow resolver. Returns how many there are. */
export async function checkWiki(wiki: TestWiki, state: VaultState, name?: string): Promise<number> {
  let count = 0;
  for (const path of pagesOf(state)) {
    const links = state.links.get(path) ?? [];
    const page = addressOf(path);
    const found = await wiki.run('get_links', { path: page, ...(name !== undefined && { wiki: name }) });
    const leads = links.flatMap((link) => (link.leads === null || link.target === '' ? [] : [link.leads]));
    const expected = {
      leads: [...new Set(leads)].map(addressOf).toSorted(),
      broken: links.filter((link) => link.leads === null).map((link) => link.line),
    };
    const said = {
      leads: [...found.links_to, ...found.attachments].map((path) => path.normalize('NFC')).toSorted(),
      broken: found.broken.map(({ line }) => line),
    };
    expect(said, `get_links of ${page}:\n${state.files.get(path)}`).toEqual(expected);
    count += links.length;
  }
  return count;
}
