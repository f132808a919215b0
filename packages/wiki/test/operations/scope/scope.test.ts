import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { type OperationName, operationNames, operations } from '../../../src/contract/operations.ts';
import { parseInput } from '../../../src/contract/parse-input.ts';
import { type Scope, scope as scopeShape } from '../../../src/contract/scope.ts';
import { blobOid } from '../../../src/core/content-hash.ts';
import { inProcess, looped } from '../local-backends.ts';
import { openTestWiki } from '../test-wiki.ts';
import { bytes, guess, inputs } from './scope-inputs.ts';
import { answerOf, ask, elsewhere, grown, HEAD, here, narrow, wider } from './scope-wiki.ts';

const step = fc
  .constantFrom(...operationNames)
  .chain((name) => fc.record(inputs[name]).map((input) => ({ name, input })));

describe.each([
  ['one folder', narrow],
  ['folders to read, and one of them to write', wider],
])('a call limited to %s', (_, scope) => {
  test('is answered as if there were nothing else in the wiki, whatever it asks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
        const full = await grown(inProcess, elsewhere);
        const bare = await grown(inProcess, {}, (file) =>
          scope.read.some((folder) => file.startsWith(folder)),
        );
        for (const [position, { name, input }] of steps.entries()) {
          if (position % 5 === 0)
            await full.run('append_to_page', { path: 'secret/Zebra', content: 'zebra' });
          const reported = await ask(full, scope, name, input);
          expect(reported, `${name} ${JSON.stringify(input)}`).toEqual(await ask(bare, scope, name, input));
        }
      }),
      { numRuns: sampled(8, 3), seed: 20_261_122 },
    );
  });

  test('changes nothing outside of what it may write', async () => {
    const full = await grown(inProcess, elsewhere);
    const before = (await full.head()) ?? '';
    await fc.assert(
      fc.asyncProperty(step, async ({ name, input }) => {
        await ask(full, scope, name, input);
      }),
      { numRuns: sampled(60, 20), seed: 20_261_122 },
    );
    const touched = await full.git('diff', '--name-only', '-z', before, 'HEAD');
    for (const file of touched.split('\0').filter((each) => each !== '')) {
      expect(
        scope.write.some((folder) => file.startsWith(folder)),
        file,
      ).toBe(true);
    }
  });
});

test('words elsewhere do not affect the correction of a misspelt word', async () => {
  const full = await grown(inProcess, elsewhere);
  const words = Array.from('abcdefghij', (letter) => `plain${letter}`).join(' ');
  for (const path of ['secret/One', 'secret/Two']) await full.run('write_page', { path, content: words });
  expect(await answerOf(full, narrow, 'search_pages', { query: 'plainx' })).toMatchObject({
    hits: [{ path: 'notes/B' }],
  });
});

test('a move leaves a file where it is, which a page elsewhere may use', async () => {
  const full = await grown(inProcess, { 'Home.md': '![[notes/Deep/own.png]]\n' });
  const put = { path: 'notes/Deep/own.png', content: bytes };
  await full.run('put_attachment', put);
  await full.run('write_page', { path: 'notes/Deep/E', content: '![own](own.png)\n' });
  await answerOf(full, narrow, 'move_page', { path: 'notes/Deep/E', new_path: 'notes/E' });
  expect(await full.content('notes/E')).toBe('![own](Deep/own.png)\n');
  expect(await full.run('get_links', { path: 'Home' })).toMatchObject({
    attachments: [put.path],
    broken: [],
  });
});

describe('links on pages elsewhere', () => {
  const changes: [OperationName, Record<string, unknown>][] = [
    ['move_page', { path: 'notes/B', new_path: 'notes/E' }],
    ['move_page', { path: 'notes/Deep/', new_path: 'notes/Deeper/' }],
    ['write_page', { path: 'notes/Zebra', content: '# Zebra\n' }],
    ['append_to_page', { path: 'notes/F', content: 'x', create: true }],
    ['update_frontmatter', { path: 'notes/B', set: { aliases: ['Bee'] } }],
    ['put_attachment', { path: 'notes/zebra.png', content: bytes }],
    ['commit_changes', { message: 'm', changes: [{ op: 'merge', path: 'notes/B', new_path: 'notes/A' }] }],
  ];

  test.each(changes)('are not read, and %s says so whether or not there are any: %j', async (name, input) => {
    const full = await grown(inProcess, { ...elsewhere, 'secret/Links.md': '[[B]] [[C]] [[Bee]] [[F]]\n' });
    const bare = await grown(inProcess, {}, (file) => file.startsWith('notes/'));
    const links_elsewhere = expect.stringMatching(/^Pages outside of "notes\/" were not looked at\. /);
    for (const dry_run of name === 'move_page' || name === 'commit_changes'
      ? [true, undefined]
      : [undefined]) {
      const answer = await ask(full, narrow, name, { ...input, dry_run });
      expect(answer).toMatchObject({ changed: true, links_elsewhere });
      expect(answer).toEqual(await ask(bare, narrow, name, { ...input, dry_run }));
    }
    expect(await full.content('secret/Links')).toBe('[[B]] [[C]] [[Bee]] [[F]]\n');
  });

  test('are not mentioned if no name changed, or if the server may read everything', async () => {
    const full = await grown(inProcess, elsewhere);
    const edits = { path: 'notes/B', edits: [{ old_string: 'Plain', new_string: '[[Fine]]' }] };
    expect(await answerOf(full, narrow, 'edit_page', edits)).not.toHaveProperty('links_elsewhere');
    const everything: Scope = { read: [''], write: ['notes/'] };
    const moved = await answerOf(full, everything, 'move_page', {
      path: 'notes/Deep/C',
      new_path: 'notes/C',
    });
    expect(moved).not.toHaveProperty('links_elsewhere');
  });

  test('cannot take over a rewritten link, which names the whole path', async () => {
    const full = await grown(inProcess, { ...elsewhere, 'E.md': 'another E\n', 'secret/Deep.md': '' });
    await full.run('write_page', { path: 'notes/Links', content: '[[B]] [b](B.md) ![[B]]\n' });
    await answerOf(full, narrow, 'move_page', { path: 'notes/B', new_path: 'notes/E' });
    expect(await full.content('notes/Links')).toBe('[[notes/E]] [b](E.md) ![[notes/E]]\n');
    expect((await full.run('get_links', { path: 'notes/Links' })).links_to).toEqual(['notes/E']);
  });
});

test('a page that moved out of the folders is reported as deleted', async () => {
  const full = await grown(inProcess, elsewhere);
  await full.run('move_page', { path: 'notes/Deep/C', new_path: 'secret/C' });
  const missed = await ask(full, narrow, 'read_page', { path: 'notes/Deep/C' });
  expect(missed).toMatchObject({
    code: 'not_found',
    data: { gone: { moved_to: null } },
  });
  expect(JSON.stringify(missed)).not.toContain('secret');
});

test('progress does not reveal how much there is to index elsewhere', async () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, page) => [`secret/${page}.md`, 'x\n']));
  const caller = { author: { name: 'Grace', email: 'grace@example.org' }, agent: null };
  const heard: Record<string, number> = { whole: 0, limited: 0 };
  for (const [name, scope] of [
    ['whole', undefined],
    ['limited', narrow],
  ] as const) {
    const { wiki } = await openTestWiki(inProcess, many);
    const progress = () => {
      heard[name] = (heard[name] ?? 0) + 1;
    };
    await wiki.get_history(parseInput('get_history', {}), { caller, scope, progress });
  }
  expect(heard.whole).toBeGreaterThan(0);
  expect(heard.limited).toBe(0);
});

test('an error for a refused write names the folders that may be written', async () => {
  const full = await grown(looped, elsewhere);
  const refusal = await ask(full, wider, 'write_page', { path: 'wide/E', content: 'x' });
  expect(refusal).toMatchObject({
    code: 'forbidden',
    text: { happened: expect.stringContaining('"notes/Deep/"') },
  });
});

test.each([undefined, true])(
  'files that no argument names are neither written nor shown: dry_run %s',
  async (dry_run) => {
    const full = await grown(inProcess, elsewhere);
    await full.run('append_to_page', { path: 'wide/D', content: '[[notes/Deep/C]]' });
    const head = await full.head();
    const calls: [OperationName, Record<string, unknown>][] = [
      ['revert_commit', { commit: HEAD, dry_run }],
      ['undo_changes', { commit: HEAD, dry_run }],
      ['move_page', { path: 'notes/Deep/C', new_path: 'notes/Deep/E', dry_run }],
    ];
    for (const [name, input] of calls) {
      expect(await ask(full, wider, name, input), name).toMatchObject({
        code: 'forbidden',
        text: { happened: expect.stringContaining('"wide/D.md" is outside of what may be changed') },
      });
    }
    expect(await full.head()).toBe(head);
  },
);

test('a commit that changed only what lies elsewhere is not there, as one that never was', async () => {
  const full = await grown(inProcess, elsewhere);
  await full.run('append_to_page', { path: 'secret/Zebra', content: 'zebra' });
  const hidden = (await full.head()) ?? '';
  for (const name of ['revert_commit', 'view_commit'] as const) {
    const missing = await ask(full, narrow, name, { commit: 'f'.repeat(40) });
    expect(missing).toMatchObject({ code: 'not_found' });
    expect(await ask(full, narrow, name, { commit: hidden })).toEqual(missing);
  }
});

test('a conflict still shows the changes if the version is one of the page', async () => {
  const full = await grown(inProcess, elsewhere);
  const first = blobOid(Buffer.from(here['notes/B.md']));
  await full.run('append_to_page', { path: 'notes/B', content: 'later' });
  const edit = { path: 'notes/B', edits: [{ old_string: 'Plain', new_string: 'Fine' }] };
  expect(await ask(full, narrow, 'edit_page', { ...edit, version: first })).toMatchObject({
    code: 'version_conflict',
    data: { diff: expect.stringContaining('+later') },
  });
  expect(await ask(full, narrow, 'edit_page', { ...edit, version: guess })).toMatchObject({
    data: { diff: null },
  });
});

test.each(['notes', '/notes/', 'a//', '../', 'a/./', 'a\\', 'a\0/'])('%j is not a folder', (text) => {
  expect(scopeShape.safeParse({ read: [text], write: [text] }).success).toBe(false);
});

test('this test calls every operation', () => {
  expect(Object.keys(inputs).sort()).toEqual(Object.keys(operations).sort());
});
