import type { SiteOptions } from '../../site/view-tools.ts';
import type { SiteToExport } from '../export/export-site.ts';

/** The parts of the pages that are built: scripts for browsers, the style sheet, and the licenses of what is in them. */
export interface SiteAssets {
  served(): Promise<ServedAssets>;
  exported(): Promise<SiteToExport['parts']>;
}

export type ServedAssets = Pick<
  SiteOptions,
  'stylesheet' | 'script' | 'editor' | 'diagrams' | 'graph' | 'notices'
>;
