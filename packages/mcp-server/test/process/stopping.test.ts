import { beforeAll, expect, test } from 'vitest';
import { builtServer } from '../built-server.ts';
import { ENDINGS, SLOW_PAGE, SLOW_SEARCH, stopWhileBusy } from './stop-while-busy.ts';

let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

test.each(ENDINGS)(
  '%s ends a server during a hostile search, which answers with what it found so far',
  async (ending) => {
    const { server, ended } = await stopWhileBusy({
      bundle,
      ending,
      pages: { Letters: SLOW_PAGE },
      calls: [['search_pages', SLOW_SEARCH]],
    });
    expect(ended).toEqual({ code: 0, signal: null });
    const answer = await server.answerTo(0);
    const note = (answer.result?.structuredContent as { note?: string } | undefined)?.note;
    expect(note).toMatch(/^Not everything was searched: the expression takes too long\. \d+ pages/);
  },
);
