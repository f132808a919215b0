import type { Call, Output, Wiki } from '@pagetree/wiki/contract';
import { saveFile } from './save-local-files.ts';

/** Saves the whole history as a bundle, which is never in memory whole. */
export async function saveBundle(
  wiki: Wiki,
  input: { wiki?: string | undefined },
  call: Call,
  place: string,
): Promise<Output<'export_wiki'>> {
  const { downloadBundle } = await import('@pagetree/wiki');
  const { commit, files, parts } = await downloadBundle(wiki, input, call);
  let size = 0;
  async function* counted(): AsyncIterable<Uint8Array> {
    for await (const part of parts) {
      size += part.length;
      yield part;
    }
  }
  await saveFile(place, counted());
  return {
    wiki: input.wiki ?? (await wiki.list_wikis({}, call)).default,
    commit,
    format: 'bundle',
    files,
    size,
    left_out: [],
    left_out_total: 0,
    content: null,
    saved_to: place,
  };
}
