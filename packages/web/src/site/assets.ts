import type { Hono } from 'hono';
import { NOTICES_ADDRESS, scriptAddress } from './addresses.ts';
import { diagramAddress, diagramPolicy } from './diagram-frame.ts';
import { graphScriptAddress } from './graph-script.ts';
import type { OwnParts } from './headers.ts';
import type { SiteOptions } from './view-tools.ts';

export type AssetOptions = Pick<
  SiteOptions,
  'script' | 'editor' | 'graph' | 'diagrams' | 'notices' | 'stylesheet'
>;

/** The parts of our origin that a page may run or show, for its policy. */
export function ownParts({ script, editor, diagrams, stylesheet }: AssetOptions): OwnParts {
  return {
    script: scriptAddress(script),
    editor: scriptAddress(editor, 'editor'),
    frame: diagramAddress(diagrams),
    stylesheet,
  };
}

/** Adds the scripts of the pages and what belongs to them. They have nothing of a wiki. */
export function addAssets(app: Hono, options: AssetOptions): void {
  const { script, editor, frame } = ownParts(options);
  const scripts = [
    [script, () => options.script],
    [editor, () => options.editor],
    [graphScriptAddress(options.graph), () => options.graph.text()],
  ] as const;
  for (const [path, text] of scripts) {
    app.get(path, (context) =>
      context.body(text(), 200, {
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'public, max-age=31536000, immutable',
      }),
    );
  }
  app.get(frame, (context) =>
    context.html(options.diagrams.html(), 200, {
      'Content-Security-Policy': diagramPolicy(options.diagrams, context.req.header('host') ?? ''),
      'Cache-Control': 'public, max-age=31536000, immutable',
    }),
  );
  app.get(NOTICES_ADDRESS, async (context) => context.text(await options.notices()));
  // Browsers ask for it by themselves.
  app.get('/favicon.ico', (context) => context.body(null, 204, { 'Cache-Control': 'public, max-age=86400' }));
}
