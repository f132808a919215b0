import { buildServedNotices, buildStaticNotices } from './client-notices.ts';
import {
  buildClientScript,
  buildDiagramFrame,
  buildEditorScript,
  buildGraphScript,
  buildStaticScripts,
} from './client-script.ts';
import type { SiteAssets } from './site-assets.ts';
import { readStylesheet } from './stylesheet.ts';

/** Builds the assets from the sources of this clone, so that none can be out of date. */
export const assetsOfSources: SiteAssets = {
  served: async () => {
    const [stylesheet, script, editor, diagrams, graph] = await Promise.all([
      readStylesheet(),
      buildClientScript(),
      buildEditorScript(),
      buildDiagramFrame(),
      buildGraphScript(),
    ]);
    // Few ask for the notices, and they take a moment.
    return { stylesheet, script, editor, diagrams, graph, notices: buildServedNotices };
  },
  exported: async () => {
    const [stylesheet, scripts, diagrams, notices] = await Promise.all([
      readStylesheet(),
      buildStaticScripts(),
      buildDiagramFrame(),
      buildStaticNotices(),
    ]);
    return { stylesheet, scripts, diagrams, notices };
  },
};
