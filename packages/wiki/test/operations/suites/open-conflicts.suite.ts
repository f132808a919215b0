import { describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/contract/scope.ts';
import { objectId } from '../../../src/formats/oid.ts';
import { Pusher } from '../../pusher.ts';
import { type Backend, openTestWiki, type TestWiki } from '../test-wiki.ts';

/** Conflicts that `merge_commits` left open, until somebody settles them. Native git judges the repository after each test. */
export function openConflictsSuite(backend: Backend): void {
  describe('open conflicts', () => {
    test('check_wiki lists them with both versions, which can be read and compared', async () => {
      const { wiki, theirs, merge } = await conflicted(backend);
      const checked = await wiki.run('check_wiki', { kinds: ['conflict'] });
      expect(checked.counts).toEqual({ conflict: 3 });
      expect(checked.findings.map(({ path, conflict }) => ({ path, ...conflict }))).toEqual([
        { path: 'Gone', merge, ours: null, theirs: blob('theirs\n'), theirs_commit: theirs },
        { path: 'in/Both', merge, ours: blob('ours\n'), theirs: blob('theirs\n'), theirs_commit: theirs },
        { path: 'in/Kept', merge, ours: blob('ours\n'), theirs: null, theirs_commit: theirs },
      ]);
      expect((await wiki.run('check_wiki', {})).findings[0]?.kind).toBe('conflict');
      const [gone, both, kept] = checked.findings.map(({ detail }) => detail);
      expect(gone).toContain(`restore_page with commit ${theirs}`);
      expect(both).toContain(`read_page or diff_page at ${theirs}`);
      expect(kept).toContain('the other side deleted it');
      expect((await wiki.run('read_page', { path: 'in/Both', at: theirs })).content).toBe('theirs\n');
      expect((await wiki.run('diff_page', { path: 'in/Both', from: theirs })).diff).toContain(
        '-theirs\n+ours',
      );
      const { findings } = await wiki.run('check_wiki', { kinds: ['conflict'], prefix: 'in/B' });
      expect(findings.map(({ path }) => path)).toEqual(['in/Both']);
    });

    test('view_conflict has the merge of both since the commit that they have in common', async () => {
      const lines = (first: string, last: string) => `${first}\n${'same\n'.repeat(5)}${last}\n`;
      const wiki = await openTestWiki(backend, { 'in/A.md': lines('one', 'two'), 'B.md': 'b\n' });
      const other = await Pusher.of(wiki);
      const from = other.head;
      const theirs = other.commit({ 'in/A.md': lines('theirs', 'their end') });
      const ours = lines('ours', 'two');
      await wiki.run('write_page', { path: 'in/A', content: ours, version: blob(lines('one', 'two')) });
      const { commit: merge } = await wiki.run('merge_commits', mergeOf(other, from, theirs));
      const viewed = await wiki.run('view_conflict', { path: 'in/A' });
      const first = '<<<<<<< yours\nours\n=======\ntheirs\n>>>>>>> theirs';
      expect(viewed).toEqual({
        commit: merge,
        conflict: {
          merge,
          ours: blob(ours),
          theirs: blob(lines('theirs', 'their end')),
          theirs_commit: theirs,
          merged: { content: lines(first, 'their end'), conflicts: 1 },
        },
      });
      expect((await wiki.run('view_page', { path: 'in/A' })).page?.theirs_commit).toBe(theirs);
      expect((await wiki.run('view_page', { path: 'B' })).page).not.toHaveProperty('theirs_commit');
      expect((await wiki.run('view_conflict', { path: 'B' })).conflict).toBeNull();
      const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
      const within = (read: string) => ({ caller, scope: { read: [read], write: [read] } });
      expect(await wiki.wiki.view_conflict({ path: 'in/A' }, within('in/'))).toEqual(viewed);
      expect((await wiki.wiki.view_conflict({ path: 'in/A' }, within('x/'))).conflict).toBeNull();
    });

    test('any change of the page settles one: an edit, a deletion, a move, the version of the other side', async () => {
      const settling: Record<string, (wiki: TestWiki, theirs: string) => Promise<unknown>> = {
        edit: (wiki) =>
          wiki.run('edit_page', { path: 'in/Both', edits: [{ old_string: 'ours', new_string: 'both' }] }),
        deletion: (wiki) => wiki.run('delete_page', { path: 'in/Both', version: blob('ours\n') }),
        move: (wiki) => wiki.run('move_page', { path: 'in/Both', new_path: 'in/Moved' }),
        theirs: (wiki, theirs) =>
          wiki.run('restore_page', { path: 'in/Both', commit: theirs, version: blob('ours\n') }),
      };
      for (const [name, settle] of Object.entries(settling)) {
        const { wiki, theirs } = await conflicted(backend);
        await wiki.write('Elsewhere', 'text\n');
        expect(await listed(wiki), name).toEqual(['Gone', 'in/Both', 'in/Kept']);
        await settle(wiki, theirs);
        expect(await listed(wiki), name).toEqual(['Gone', 'in/Kept']);
      }
    });

    test('one that is settled stays so, even if the page gets the same text again', async () => {
      const { wiki } = await conflicted(backend);
      const replace = (from: string, to: string) =>
        wiki.run('write_page', { path: 'in/Both', content: to, version: blob(from) });
      await replace('ours\n', 'other\n');
      await replace('other\n', 'ours\n');
      expect(await listed(wiki)).toEqual(['Gone', 'in/Kept']);
    });

    test('to write the same text settles it by a commit that changes nothing; without a conflict there is none', async () => {
      const { wiki, other, theirs, merge } = await conflicted(backend);
      const keep = { path: 'in/Both', content: 'ours\n', version: blob('ours\n'), message: 'Keep ours' };
      const request_id = 'keeps-the-text-of-the-wiki';
      const kept = await wiki.run('write_page', { ...keep, request_id });
      expect(kept).toMatchObject({ changed: true, version: blob('ours\n'), diff: '' });
      expect(await listed(wiki)).toEqual(['Gone', 'in/Kept']);
      const said = await wiki.git('log', '-1', '--format=%P %T %s %(trailers:key=Settled,valueonly)');
      const tree = (await wiki.git('rev-parse', `${merge}^{tree}`)).trim();
      expect(said.trim()).toBe(`${merge} ${tree} Keep ours in/Both.md`);
      expect(await wiki.run('write_page', { ...keep, request_id })).toEqual(kept);
      expect((await wiki.run('write_page', keep)).changed).toBe(false);
      const free = { path: 'in/Free', content: 'free\n', version: blob('free\n') };
      expect((await wiki.run('write_page', free)).changed).toBe(false);
      expect(await wiki.head()).toBe(kept.commit);
      // The next merge with other lines opens it again.
      const next = other.commit({ 'in/Both.md': 'more\n' });
      await wiki.run('merge_commits', mergeOf(other, theirs, next));
      expect(await listed(wiki)).toEqual(['Gone', 'in/Both', 'in/Kept']);
    });

    test('a page that was deleted here is settled by bringing back the version of the other side', async () => {
      const { wiki, theirs } = await conflicted(backend);
      await wiki.run('restore_page', { path: 'Gone', commit: theirs });
      expect(await listed(wiki)).toEqual(['in/Both', 'in/Kept']);
      await wiki.run('delete_page', { path: 'Gone', version: blob('theirs\n') });
      expect(await listed(wiki)).toEqual(['in/Both', 'in/Kept']);
    });

    test('a scope lists and mentions only what it shows, and settles only what it may change', async () => {
      const { wiki } = await conflicted(backend);
      const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
      const within = (read: string, write = read) => ({
        caller,
        scope: { read: [read], write: [write] } satisfies Scope,
      });
      const check = { kinds: ['conflict' as const], stale_days: 365, limit: 50 };
      const seen = async (read: string) =>
        (await wiki.wiki.check_wiki(check, within(read))).findings.map(({ path }) => path);
      expect(await seen('in/')).toEqual(['in/Both', 'in/Kept']);
      expect(await seen('other/')).toEqual([]);
      const keep = { path: 'in/Both', content: 'ours\n', version: blob('ours\n'), allow_shrink: false };
      const refused = wiki.wiki.write_page(keep, within('in/', 'in/K/'));
      await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
      await wiki.wiki.write_page(keep, within('in/'));
      expect(await seen('in/')).toEqual(['in/Kept']);
    });

    test('a wiki without a commit has none', async () => {
      const wiki = await openTestWiki(backend, {});
      expect(await listed(wiki)).toEqual([]);
      expect((await wiki.refused('view_page', { path: 'A' })).code).toBe('not_found');
    });

    test('what a foreign commit says about conflicts proves nothing', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a\n', 'B.md': 'b\n' });
      const other = await Pusher.of(wiki);
      const from = other.head;
      const side = other.commit({ 'B.md': 'side\n' });
      const said = (request: string, page = 'A.md') =>
        `Merge\n\nConflict: ${page}\nRequest-Id: ${request}\nRequest-Digest: ${side}\nNonce: x\n`;
      const files = { 'C.md': 'c\n' };
      other.commit(files, { parents: [from, side], message: said(`merged-commit-${side}`) });
      other.commit({ 'D.md': 'd\n' }, { message: said(`merged-commit-${side}`) });
      other.commit({ 'E.md': 'e\n' }, { parents: [other.head, side], message: said('mine', 'B.md') });
      // It kept neither version.
      const third = { 'B.md': 'third\n' };
      other.commit(third, { parents: [other.head, side], message: said(`merged-commit-${side}`, 'B.md') });
      await wiki.run('merge_commits', mergeOf(other, from, other.head));
      expect(await listed(wiki)).toEqual([]);
    });
  });
}

/**
 * What a read says of an open conflict. It never waits for the index, so it says nothing in a process whose index does not
 * know the merge. In Lambda any environment may answer: each is asked until its index does.
 */
export function conflictNotesSuite(backend: Backend): void {
  test('read_page and read_pages mention an open conflict, and say nothing of a page that has none', async () => {
    const { wiki, theirs } = await conflicted(backend);
    const noteOf = async (path: string, at?: string) => {
      await wiki.run('check_wiki', { kinds: ['conflict'] });
      return (await wiki.run('read_page', { path, at })).note;
    };
    await expect.poll(() => noteOf('in/Both')).toContain(`read_page or diff_page at ${theirs}`);
    await expect.poll(() => noteOf('[[Kept]]')).toContain('the other side deleted it');
    expect(await noteOf('in/Free')).toBeNull();
    expect(await noteOf('in/Both', theirs)).toBeNull();
    const notes = async () => {
      await wiki.run('check_wiki', { kinds: ['conflict'] });
      const { pages } = await wiki.run('read_pages', { paths: ['in/Kept', 'in/Free'] });
      return pages.map((page) => page.note?.slice(0, 6) ?? null);
    };
    await expect.poll(notes).toEqual(['A sync', null]);
  });
}

/** A wiki that merged three conflicts and a free page, with the repository of the other side. */
export async function conflicted(backend: Backend) {
  const wiki = await openTestWiki(backend, { 'in/Both.md': 'old\n', 'Gone.md': 'x\n', 'in/Kept.md': 'x\n' });
  const other = await Pusher.of(wiki);
  const from = other.head;
  other.commit({ 'in/Both.md': 'theirs\n', 'Gone.md': 'theirs\n', 'in/Free.md': 'free\n' });
  other.feed(
    `commit refs/heads/main\ncommitter A <a@b> 1700000200 +0000\ndata 1\nm\nfrom ${other.head}\nD in/Kept.md\n`,
  );
  const theirs = other.head;
  const ours = { content: 'ours\n' };
  await wiki.run('write_page', { path: 'in/Both', ...ours, version: blob('old\n') });
  await wiki.run('delete_page', { path: 'Gone', version: blob('x\n') });
  await wiki.run('write_page', { path: 'in/Kept', ...ours, version: blob('x\n') });
  const { commit: merge } = await wiki.run('merge_commits', mergeOf(other, from, theirs));
  return { wiki, other, theirs, merge };
}

async function listed(wiki: TestWiki): Promise<string[]> {
  return (await wiki.run('check_wiki', { kinds: ['conflict'] })).findings.map(({ path }) => path);
}

function mergeOf(other: Pusher, from: string, commit: string) {
  const source = 'branch main of example.org/notes';
  return { commit, source, content: other.pack(from, commit).toString('base64') };
}

function blob(text: string): string {
  return objectId('blob', Buffer.from(text));
}
