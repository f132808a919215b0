import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { ServedWeb } from '../../../web/test/served-web.ts';
import { temporaryDirectory } from '../built-server.ts';
import { RawHttp } from './raw-http.ts';

const AUTHOR = { PAGETREE_AUTHOR: 'Ada Lovelace <ada@example.org>' };

/** `pnpm serve` on a directory of wikis, with the address at which agents reach it. */
export async function serveWiki(
  directory: string,
  args: readonly string[] = [],
): Promise<{ url: string; web: ServedWeb }> {
  const web = new ServedWeb(['--port', '0', '--dir', directory, ...args], AUTHOR);
  return { url: `${await web.address()}/mcp`, web };
}

/** The same, with one server for all tests of a file. Its parts are there once the tests run. */
export function servedWikiOfFile(): { directory: string; url: string; web: ServedWeb; http: RawHttp } {
  const served = {} as { directory: string; url: string; web: ServedWeb; http: RawHttp };
  beforeAll(async () => {
    const directory = join(await temporaryDirectory(), 'wikis');
    const { url, web } = await serveWiki(directory);
    Object.assign(served, { directory, url, web, http: new RawHttp(url) });
  });
  afterAll(() => served.web.stop('SIGKILL'));
  return served;
}
