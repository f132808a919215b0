import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { NOTICES_ADDRESS } from '../../site/addresses.ts';
import type { DiagramFrame } from '../../site/diagram-frame.ts';
import { digestOf } from '../../site/entity-tag.ts';
import type { GraphScript } from '../../site/graph-script.ts';

/** The script of every page. */
export function buildClientScript(): Promise<string> {
  return bundle(new URL('../../client/main.ts', import.meta.url));
}

/** The script of the pages with a form for text, with CodeMirror in it. */
export function buildEditorScript(): Promise<string> {
  return bundle(new URL('../../client/editor/main.ts', import.meta.url));
}

/** The scripts of a static site, by name. No module: a page from `file:` may load none. */
export async function buildStaticScripts(): Promise<{ diagrams: string; search: string }> {
  const [diagrams, search] = await Promise.all(
    ['../../client/static-diagrams.ts', '../../client/static-search.ts'].map((script) =>
      bundle(new URL(script, import.meta.url), 'iife'),
    ),
  );
  return { diagrams: diagrams ?? '', search: search ?? '' };
}

/** The script that draws the graph of links, with its library. */
export async function buildGraphScript(): Promise<GraphScript> {
  const text = await bundle(new URL('../../client/graph/main.ts', import.meta.url));
  return { text: () => text, digest: digestOf(text) };
}

/** The document that draws diagrams, with Mermaid in it. */
export async function buildDiagramFrame(): Promise<DiagramFrame> {
  const mermaid = fileURLToPath(import.meta.resolve('@mermaid-js/tiny'));
  const scripts = await Promise.all([
    readFile(mermaid, 'utf8'),
    bundle(new URL('../../client/diagram-frame.ts', import.meta.url)),
  ]);
  const hashes = scripts.map((script) => createHash('sha256').update(script).digest('base64'));
  // In the document, so that a browser keeps them with it.
  const elements = scripts.map((script) => `<script>${script}</script>`).join('\n');
  const html = `<!doctype html>\n<meta charset="utf-8">\n<title>Diagrams</title>\n<body>\n${elements}\n`;
  return {
    html: () => html,
    digest: digestOf(html),
    scripts: hashes.map((hash) => `'sha256-${hash}'`).join(' '),
  };
}

async function bundle(script: URL, format: 'esm' | 'iife' = 'esm'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(script)],
    bundle: true,
    write: false,
    minify: true,
    format,
    banner: { js: `/* Licenses: ${format === 'iife' ? 'THIRD-PARTY-NOTICES.txt' : NOTICES_ADDRESS} */` },
    target: 'es2022',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
