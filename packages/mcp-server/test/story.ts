import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { git, gitFsck } from './git.ts';
import type { ToolClient } from './sdk-client.ts';

/**
 * Declares tests that call every tool: one story on one new wiki, in which each test goes on where the one before it
 * ended. `connect` starts a server as "Ada Lovelace <ada@example.org>" on a directory that is not there yet.
 */
export function declareStory(connect: () => Promise<{ client: ToolClient; directory: string }>): void {
  let directory: string;
  let wiki: ToolClient;
  const called = new Set<string>();

  beforeAll(async () => {
    ({ client: wiki, directory } = await connect());
  });

  afterAll(() => wiki.close());

  function call(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    called.add(name);
    return wiki.ok(name, args);
  }

  function repositoryOf(name: string): string {
    return join(directory, `${name}.git`);
  }

  test('the first start makes the wiki main, with a Home page and one that explains to an agent how it works', async () => {
    const status = await call('wiki_status');
    expect(status).toMatchObject({ wiki: 'main', branch: 'main', read_only: false, problems: [] });
    expect(status.clone).toContain(repositoryOf('main'));
    expect(await call('read_page', { path: 'Home' })).toMatchObject({ path: 'Home', truncated: false });
    expect((await call('list_pages')).total).toBeGreaterThanOrEqual(2);
  });

  test('a page is created, read, edited, appended to and replaced, and each write is one commit', async () => {
    const before = Number(await git(repositoryOf('main'), 'rev-list', '--count', 'main'));
    const content = '# Tea\n\nGreen tea, $& and $1.\n';
    const created = await call('write_page', { path: 'Kitchen/Tea', content, message: 'Begin with tea' });
    expect(created).toMatchObject({ path: 'Kitchen/Tea', previous_version: null, changed: true });

    const read = await call('read_page', { path: 'Kitchen/Tea' });
    expect(read).toMatchObject({ content, version: created.version, title: 'Tea' });

    const edits = [{ old_string: 'Green tea', new_string: 'Black tea $&' }];
    const edited = await call('edit_page', { path: 'Kitchen/Tea', edits, version: read.version });
    expect(edited).toMatchObject({ previous_version: read.version, changed: true });
    expect(edited.diff).toContain('+Black tea $&, $& and $1.');

    const appended = await call('append_to_page', { path: 'Kitchen/Tea', content: 'See [[Coffee]].' });
    const text = '# Tea\n\nBlack tea $&, $& and $1.\nSee [[Coffee]].\n';
    expect(await call('read_page', { path: 'Kitchen/Tea' })).toMatchObject({ content: text });

    await call('write_page', {
      path: 'Kitchen/Tea',
      content: `${text}\nMilk first.\n`,
      version: appended.version,
    });
    const after = Number(await git(repositoryOf('main'), 'rev-list', '--count', 'main'));
    expect(after - before).toBe(4);
  });

  test('a part of a page is changed by its heading, and its frontmatter by key', async () => {
    const content = '---\nstatus: draft # for now\n---\n# Cake\n\n## Oven\n\n180 degrees\n\n## Time\n\n1 h\n';
    await call('write_page', { path: 'Kitchen/Cake', content });
    await call('edit_section', {
      path: 'Kitchen/Cake',
      heading: 'Oven',
      operation: 'append',
      content: 'middle rack',
    });
    await call('update_frontmatter', { path: 'Kitchen/Cake', set: { status: 'final' } });
    const { content: changed, version } = await call('read_page', { path: 'Kitchen/Cake' });
    expect(changed).toBe(
      content.replace('draft', 'final').replace('180 degrees\n', '180 degrees\nmiddle rack\n'),
    );
    await call('delete_page', { path: 'Kitchen/Cake', version });
  });

  test('the commit names the author, the agent and the request', async () => {
    const request_id = 'retry-me-once';
    const write = { path: 'Kitchen/Sugar', content: 'Sweet.\n', message: 'Add sugar', request_id };
    const first = await call('write_page', write);
    expect(await call('write_page', write)).toEqual(first);
    const commit = await git(
      repositoryOf('main'),
      'log',
      '-1',
      '--format=%an <%ae>%n%cn%n%B',
      String(first.commit),
    );
    const [author, committer] = commit.split('\n');
    expect(author).toBe('Ada Lovelace <ada@example.org>');
    expect(committer).toBe('Pagetree');
    expect(commit).toContain('Add sugar');
    expect(commit).toContain('Agent: sdk-client/1.2');
    expect(commit).toContain(`Request-Id: ${request_id}`);
  });

  test('pages are found, listed and read together', async () => {
    const found = await call('search_pages', { query: 'black tea' });
    expect(found.hits).toMatchObject([{ path: 'Kitchen/Tea' }]);
    const byPattern = await call('search_pages', { query: '^Milk .*', mode: 'regex' });
    expect(byPattern.hits).toMatchObject([{ path: 'Kitchen/Tea', lines: [{ text: 'Milk first.' }] }]);
    const listed = await call('list_pages', { prefix: 'Kitchen/' });
    expect(listed).toMatchObject({ total: 2, pages: [{ path: 'Kitchen/Sugar' }, { path: 'Kitchen/Tea' }] });
    const pages = await call('read_pages', { paths: ['Kitchen/Tea', 'Nowhere'] });
    expect(pages.pages).toMatchObject([
      { path: 'Kitchen/Tea' },
      { path: 'Nowhere', error: expect.any(String) },
    ]);
  });

  test('a page is moved, and every link to it with it', async () => {
    await call('write_page', { path: 'Menu', content: 'We have [[Kitchen/Tea|tea]].\n' });
    const moved = await call('move_page', { path: 'Kitchen/Tea', new_path: 'Bar/Tea' });
    expect(moved).toMatchObject({ path: 'Bar/Tea', previous_path: 'Kitchen/Tea', updated_pages: ['Menu'] });
    expect(await call('read_page', { path: 'Menu' })).toMatchObject({
      content: 'We have [[Tea|tea]].\n',
    });
    expect(await call('list_tags', {})).toHaveProperty('tags');
    expect(await call('list_folders', {})).toHaveProperty('folders');
    expect(await call('get_links', { path: 'Bar/Tea' })).toMatchObject({
      exists: true,
      linked_from: ['Menu'],
      broken: [{ target: 'Coffee' }],
    });
  });

  test('history is listed, compared and brought back', async () => {
    const history = await call('get_history', { path: 'Bar/Tea' });
    const entries = history.entries as { commit: string; message: string; agent: string }[];
    expect(entries.map((entry) => entry.agent)).toEqual(Array(5).fill('sdk-client/1.2'));
    const first = entries.at(-1);
    expect(first?.message).toContain('Begin with tea');

    const compared = await call('diff_page', { path: 'Bar/Tea', from: first?.commit });
    expect(compared.added).toBeGreaterThan(0);

    const changes = await call('show_changes', { since: first?.commit });
    expect(changes.pages).toEqual(
      expect.arrayContaining([expect.objectContaining({ path: 'Bar/Tea', action: 'moved' })]),
    );

    const blamed = await call('blame_page', { path: 'Bar/Tea' });
    const writers = (blamed.commits as { commit: string }[]).map(({ commit }) => commit);
    expect(writers).not.toEqual([]);
    expect(entries.map(({ commit }) => commit)).toEqual(expect.arrayContaining(writers));
    expect(blamed).toMatchObject({ stopped_at: null, next_start_line: null });

    const { version } = await call('read_page', { path: 'Bar/Tea' });
    const deleted = await call('delete_page', { path: 'Bar/Tea', version });
    expect(deleted).toMatchObject({ changed: true, version: null, broken_links: [{ path: 'Menu' }] });
    const restored = await call('restore_page', { path: 'Bar/Tea', commit: entries[0]?.commit });
    expect(restored).toMatchObject({ path: 'Bar/Tea', version });
  });

  test('several pages change in one commit, which is undone as one', async () => {
    const tree = await git(repositoryOf('main'), 'rev-parse', 'main^{tree}');
    const changes = [
      { op: 'write', path: 'Bar/Juice', content: 'Orange.\n' },
      { op: 'edit', path: 'Menu', old_string: 'We have', new_string: 'We have [[Bar/Fresh Juice]],' },
      { op: 'move', path: 'Bar/Juice', new_path: 'Bar/Fresh Juice' },
    ];
    const done = await call('commit_changes', { message: 'Add juice', changes });
    expect(done).toMatchObject({
      changed: true,
      total: 2,
      pages: [{ path: 'Bar/Fresh Juice' }, { path: 'Menu' }],
    });
    expect(await call('read_page', { path: 'Menu' })).toMatchObject({
      content: 'We have [[Bar/Fresh Juice]], [[Tea|tea]].\n',
    });
    expect(await call('revert_commit', { commit: done.commit })).toMatchObject({ pages_total: 2 });
    expect(await git(repositoryOf('main'), 'rev-parse', 'main^{tree}')).toBe(tree);
  });

  test('the wiki is checked', async () => {
    expect(await call('check_wiki', { kinds: ['broken_link'] })).toMatchObject({
      findings: [{ kind: 'broken_link', path: 'Bar/Tea', detail: 'Coffee' }],
      counts: { broken_link: 1 },
    });
  });

  test('the wiki is maintained', async () => {
    expect(await call('maintain_wiki')).toMatchObject({ mode: 'tidy', problems: [] });
    expect(await call('maintain_wiki', { mode: 'check' })).toMatchObject({ problems: [], more: 0 });
    expect(await call('maintain_wiki', { mode: 'repair' })).toMatchObject({ repair_commit: null, lost: [] });
  });

  test('a sync needs a remote, which is for the owner to add', async () => {
    called.add('sync_wiki');
    expect(await wiki.error('sync_wiki')).toMatch(/^not_found: .*no git remote.*--let-agents-sync/s);
  });

  test('a file is put beside the pages, got and deleted', async () => {
    const put = await call('put_attachment', { path: 'Bar/menu.csv', content: 'YSxiCg==' });
    expect(await call('list_attachments')).toMatchObject({
      attachments: [{ path: 'Bar/menu.csv' }],
      total: 1,
    });
    expect(await call('get_attachment', { path: 'Bar/menu.csv' })).toMatchObject({
      type: 'text/csv',
      size: 4,
    });
    await call('delete_attachment', { path: 'Bar/menu.csv', version: put.version });
  });

  test('a second wiki is made beside the first', async () => {
    await call('create_wiki', { wiki: 'recipes' });
    expect(await call('list_wikis')).toEqual({ wikis: ['main', 'recipes'], default: 'main' });
    await gitFsck(repositoryOf('recipes'));
  });

  test('a tool that needs a path on this machine says who can allow one', async () => {
    for (const name of ['import_wiki', 'export_wiki']) {
      called.add(name);
      expect(await wiki.error(name, { local_path: '/etc' })).toMatch(/^forbidden: .*--files DIRECTORY/);
    }
  });

  test('each tool was called, and native git finds the repository sound', async () => {
    const { tools } = await wiki.client.listTools();
    expect([...called].sort()).toEqual(tools.map((tool) => tool.name).sort());
    await gitFsck(repositoryOf('main'));
  });
}
