import { absenceIn, type Output, toWikiError } from '@pagetree/wiki/contract';
import { movedToOf } from '../../error-page.ts';
import type { ViewTools } from '../../view-tools.ts';

interface Present {
  commit: string;
  page: Page;
}

/** The page as it is now; null if there is none. */
export async function pageNow(tools: ViewTools, wiki: string, path: string): Promise<Present | null> {
  return (await pageOrPlace(tools, wiki, path)).found;
}

/** The page as it is now; if there is none, the present path of the page that was moved away from here. */
export async function pageOrPlace(
  tools: ViewTools,
  wiki: string,
  path: string,
): Promise<{ found: Present | null; movedTo: string | null }> {
  try {
    const { commit, page } = await tools.ask('view_page', { wiki, path });
    return { found: page === null ? null : { commit, page }, movedTo: null };
  } catch (error) {
    if (absenceIn(error) !== 'missing') throw error;
    return { found: null, movedTo: movedToOf(toWikiError(error).data.gone) };
  }
}

export type Page = NonNullable<Output<'view_page'>['page']>;
