import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { noticesOf } from '../../../../../third-party-notices.ts';

/** The licenses of what is in the scripts of the served pages. */
export function buildServedNotices(): Promise<string> {
  return buildNotices(['../../client/main.ts', '../../client/editor/main.ts', '../../client/graph/main.ts']);
}

/** The licenses of what is in the scripts of a static site. */
export function buildStaticNotices(): Promise<string> {
  return buildNotices(['../../client/static-diagrams.ts', '../../client/static-search.ts']);
}

/** Both kinds of pages have the frame of diagrams. */
async function buildNotices(scripts: readonly string[]): Promise<string> {
  const own = [...scripts, '../../client/diagram-frame.ts'].map(
    (script) => new URL(script, import.meta.url).href,
  );
  const { metafile, outputFiles } = await build({
    entryPoints: [...own, import.meta.resolve('@mermaid-js/tiny')].map((script) => fileURLToPath(script)),
    outdir: 'notices',
    bundle: true,
    write: false,
    target: 'es2022',
    logLevel: 'silent',
    metafile: true,
    legalComments: 'external',
  });
  const legal = outputFiles.filter(({ path }) => path.endsWith('.LEGAL.txt')).map(({ text }) => text);
  return noticesOf(metafile.outputs, [...new Set(legal)].join(''));
}
