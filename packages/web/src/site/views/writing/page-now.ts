import { absenceIn, type Output } from '@pagetree/wiki/contract';
import type { ViewTools } from '../../view-tools.ts';

/** The page as it is now; null if there is none. */
export async function pageNow(
  tools: ViewTools,
  wiki: string,
  path: string,
): Promise<{ commit: string; page: Page } | null> {
  try {
    const { commit, page } = await tools.ask('view_page', { wiki, path });
    return page === null ? null : { commit, page };
  } catch (error) {
    if (absenceIn(error) === 'missing') return null;
    throw error;
  }
}

export type Page = NonNullable<Output<'view_page'>['page']>;
