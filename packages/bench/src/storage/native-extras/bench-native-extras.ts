import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readOptions } from '../../options.ts';
import { ramDisk } from '../../ram-disk.ts';
import { measureExtras } from './measure-extras.ts';
import { importedWiki, writtenWiki } from './native-wikis.ts';
import { extrasMarkdown } from './report.ts';

/**
 * `pnpm bench native-extras [--pages N]`: what a commit-graph and a multi-pack-index would gain native git on wikis as
 * Pagetree leaves them, and what writing them costs. Two wikis are measured: one of so many pages that came in one
 * pack of git's and was written on, and one that grew by so many single writes.
 */
export async function benchNativeExtras(args: readonly string[]): Promise<string> {
  const values = readOptions('native-extras', args, { pages: { type: 'string', default: '10000' } });
  const pages = Number(values.pages);
  if (!Number.isInteger(pages) || pages < 100) throw new Error('--pages takes a number from 100 on.');
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  const directory = await mkdtemp(join(ramDisk(), 'pagetree-extras-'));
  try {
    const measures = [];
    for (const [name, make] of Object.entries({ imported: importedWiki, written: writtenWiki })) {
      const wiki = await make(join(directory, name), pages);
      progress(`${wiki.title}: made`);
      measures.push(await measureExtras(wiki));
      progress(`${wiki.title}: measured`);
    }
    return measures.map(extrasMarkdown).join('\n\n');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
