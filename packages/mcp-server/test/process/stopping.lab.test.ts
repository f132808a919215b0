import { beforeAll, expect, test } from 'vitest';
import { builtServer } from '../built-server.ts';
import { git, gitFsck } from '../git.ts';
import type { RawServer } from '../raw-server.ts';
import { ENDINGS, SLOW_PAGE, SLOW_SEARCH, stopWhileBusy } from './stop-while-busy.ts';

let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

const words = `lorem ${'ipsum '.repeat(155)}\n`.repeat(1_990);
/** `count` edits at 1,990 places each: 99 of them change nearly as many places as one call may replace. */
const swaps = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    old_string: at % 2 === 0 ? 'lorem' : 'morel',
    new_string: at % 2 === 0 ? 'morel' : 'lorem',
    replace_all: true,
  }));
const appended = { op: 'append', path: 'Grows', content: 'z'.repeat(9_000) };
const section = { op: 'section', path: 'Underlined', heading: '/A[2]', position: 'append', content: 'x' };

test.each(ENDINGS)(
  '%s ends a server with seconds of work left after it has answered every call',
  async (ending) => {
    const { server, ended, stopMs, repository } = await stopWhileBusy({
      bundle,
      ending,
      pages: { Words: words, Links: '[[a]] '.repeat(100_000) },
      calls: [
        ['commit_changes', { message: 'One page', changes: Array(60).fill(appended) }],
        ['edit_page', { path: 'Words', edits: swaps(19), message: 'Words' }],
        ['get_links', { path: 'Links' }],
      ],
    });
    expect(ended, server.stderr).toEqual({ code: 0, signal: null });
    expect(stopMs).toBeLessThan(10_000);
    const answers = await Promise.all([0, 1, 2].map(async (id) => (await server.answerTo(id)).result));
    for (const answer of answers) expect(answer).toHaveProperty('structuredContent');
    expect(await acknowledged(server, repository)).toEqual([
      'Create Words',
      'Create Links',
      'One page',
      'Words',
    ]);
  },
);

/** The slowest calls: together more than a minute of work. */
const worst: [tool: string, args: Record<string, unknown>][] = [
  ['search_pages', SLOW_SEARCH],
  ['commit_changes', { message: 'Sections', changes: Array(200).fill(section) }],
  ['commit_changes', { message: 'One page', changes: Array(200).fill(appended) }],
  ['edit_page', { path: 'Words', edits: swaps(99) }],
  ['get_links', { path: 'Links' }],
];

test.each(ENDINGS)(
  '%s ends a server with five of the slowest calls within 10 s, and reports them as unanswered',
  async (ending) => {
    const pages = {
      Letters: SLOW_PAGE,
      Underlined: 'A\n=\n'.repeat(400_000),
      Words: words,
      Links: '[[a]] '.repeat(300_000),
    };
    const { server, ended, stopMs, repository } = await stopWhileBusy({
      bundle,
      ending,
      pages,
      calls: worst,
    });
    expect(ended).toEqual({ code: 1, signal: null });
    expect(stopMs).toBeLessThan(10_000);
    expect(server.stderr).toContain('stopped with calls unanswered after 9 s');
    const written = await acknowledged(server, repository);
    expect(written.slice(0, 4)).toEqual([
      'Create Letters',
      'Create Underlined',
      'Create Words',
      'Create Links',
    ]);
  },
);

test.each(ENDINGS)('%s ends a server that works for calls which were cancelled', async (ending) => {
  const { server, ended, stopMs, repository } = await stopWhileBusy({
    bundle,
    ending,
    pages: { Links: '[[a]] '.repeat(300_000) },
    calls: [['get_links', { path: 'Links' }]],
    cancels: true,
  });
  expect(ended, server.stderr).toEqual({ code: 0, signal: null });
  expect(stopMs).toBeLessThan(10_000);
  expect(await acknowledged(server, repository)).toEqual(['Create Links']);
});

/**
 * The subjects of the acknowledged writes. Each must be in the branch, and native git must find the branch
 * whole.
 */
async function acknowledged(server: RawServer, repository: string): Promise<string[]> {
  await gitFsck(repository);
  const lines = (await git(repository, 'log', '--reverse', '--format=%H %s', 'main')).split('\n');
  const written = server.answers.flatMap(({ result }) => {
    const { commit, changed } = (result?.structuredContent ?? {}) as { commit?: string; changed?: boolean };
    return changed === true ? [lines.findIndex((line) => line.startsWith(`${commit} `))] : [];
  });
  expect(written).not.toContain(-1);
  return written.toSorted((one, other) => one - other).map((at) => lines[at]?.slice(41) ?? '');
}
