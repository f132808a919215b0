import { absenceIn, type Output, toWikiError } from '@pagetree/wiki/contract';
import { movedToOf } from '../../error-page.ts';
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

/** The present path of a page that was moved away from this one; null if none was. */
export async function newPlaceOf(tools: ViewTools, wiki: string, path: string): Promise<string | null> {
  try {
    await tools.ask('view_page', { wiki, path });
    return null;
  } catch (error) {
    return movedToOf(toWikiError(error).data.gone);
  }
}

export type Page = NonNullable<Output<'view_page'>['page']>;
