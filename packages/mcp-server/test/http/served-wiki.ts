import { ServedWeb } from '../../../web/test/served-web.ts';

const AUTHOR = { PAGETREE_AUTHOR: 'Ada Lovelace <ada@example.org>' };

/** `pnpm serve` on a directory of wikis, with the address at which agents reach it. */
export async function serveWiki(
  directory: string,
  args: readonly string[] = [],
): Promise<{ url: string; web: ServedWeb }> {
  const web = new ServedWeb(['--port', '0', '--dir', directory, ...args], AUTHOR);
  return { url: `${await web.address()}/mcp`, web };
}
