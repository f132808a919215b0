import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../../../../wiki/test/native-git.ts';
import { openSite } from '../../../../test/open-site.ts';

const TEXT = '# Alpha\n\nA text that is long enough to be known again.\n';

/** A page that was written and changed as Moves/Alpha, and moved to Moves/Beta together with a link to it. */
async function openMoved() {
  const site = await openSite();
  const { run } = site;
  const written = await run('write_page', { path: 'Moves/Alpha', content: TEXT, message: 'First' });
  const second = await commitOf(
    run('commit_changes', {
      message: 'Both pages',
      changes: [
        {
          op: 'edit',
          path: 'Moves/Alpha',
          edits: [{ old_string: 'again.\n', new_string: 'again.\nA line beside another page.\n' }],
        },
        { op: 'write', path: 'Linking', content: 'See [[Alpha]].\n' },
      ],
    }),
  );
  const moved = await commitOf(run('move_page', { path: 'Moves/Alpha', new_path: 'Moves/Beta' }));
  const last = await commitOf(run('append_to_page', { path: 'Moves/Beta', content: 'after the move' }));
  return { ...site, first: written.commit ?? '', second, moved, last };
}

async function commitOf(written: Promise<{ commit: string | null }>): Promise<string> {
  return (await written).commit ?? '';
}

const linksIn = (html: string, words: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]*)<\/a>/g)].flatMap(([, href = '', said]) =>
    said === words ? [href.replaceAll('&amp;', '&')] : [],
  );

test('the history of a page that moved leads to each version and change, also of commits of several pages', async () => {
  const { get, first, second, moved, last } = await openMoved();
  const { text } = await get('/main/Moves/Beta?view=history');
  expect(linksIn(text, 'The page then')).toEqual([
    `/main/Moves/Beta?at=${last}`,
    `/main/Moves/Beta?at=${moved}`,
    `/main/Moves/Alpha?at=${second}`,
    `/main/Moves/Alpha?at=${first}`,
  ]);
  for (const words of ['The page then', 'What changed'])
    for (const address of linksIn(text, words)) expect((await get(address)).status, address).toBe(200);
});

test('a move alone changes no line, and its change names both paths', async () => {
  const { get, moved } = await openMoved();
  for (const path of ['Moves/Beta', 'Moves/Alpha']) {
    const { text } = await get(`/main/${path}?view=diff&to=${moved}`);
    expect(text).toContain('0 lines added, 0 removed');
    expect(text).toContain('Moved from <bdi>Moves/Alpha</bdi> to <bdi>Moves/Beta</bdi>.');
  }
});

test('versions are compared across the move, and before it', async () => {
  const { get, first, last } = await openMoved();
  const { text } = await get('/main/Moves/Beta?view=history');
  const values = (name: string) =>
    [...text.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, 'g'))].map(([, value = '']) => value);
  expect(values('from')).toEqual(values('to'));
  const [, , , oldest = ''] = values('from');
  const compared = async (to: string) =>
    (await get(`/main/Moves/Beta?${new URLSearchParams({ view: 'diff', from: oldest, to })}`)).text;
  expect(await compared(values('to')[0] ?? '')).toContain('2 lines added, 0 removed');
  expect(await compared(values('to')[2] ?? '')).toContain('1 line added, 0 removed');
  // The ids alone, as a person may write them.
  const { text: across } = await get(`/main/Moves/Beta?view=diff&from=${first}&to=${last}`);
  expect(across).toContain('2 lines added, 0 removed');
});

test('the history of the old name says where the page went', async () => {
  const { get, moved } = await openMoved();
  const { text } = await get('/main/Moves/Alpha?view=history');
  expect(text).not.toContain('deleted here');
  expect(text).toContain('moved to <a href="/main/Moves/Beta?view=history">Moves/Beta</a>');
  expect(linksIn(text, 'What changed')[0]).toBe(`/main/Moves/Beta?view=diff&to=${moved}`);
});

test('a past page under its old name leads to the page of today', async () => {
  const { run, get, first } = await openMoved();
  await run('move_page', { path: 'Moves/Beta', new_path: 'Gamma' });
  const { text } = await get(`/main/Moves/Alpha?at=${first}`);
  expect(linksIn(text, 'See the page as it is now')).toEqual(['/main/Gamma']);
  expect(linksIn(text, 'Who wrote it')).toEqual(['/main/Gamma?view=blame']);
  expect(linksIn(text, 'History')).toEqual(['/main/Gamma?view=history']);
  // Another page takes the old name: the past page is still the one that is elsewhere now.
  await run('write_page', { path: 'Moves/Alpha', content: 'Another page.\n' });
  const { text: again } = await get(`/main/Moves/Alpha?at=${first}`);
  expect(linksIn(again, 'See the page as it is now')).toEqual(['/main/Gamma']);
  const { text: change } = await get(`/main/Moves/Alpha?view=diff&to=${first}`);
  expect(change).toContain('<p class="message">First</p>');
});

/** Beta moved to Gamma, then Alpha to Beta; between the two no page is called Beta. `elsewhere` changed none of them. */
async function openReused() {
  const site = await openSite();
  const { run } = site;
  const write = (path: string, text: string) =>
    commitOf(run('write_page', { path, content: `${text}, long enough to be known again.\n` }));
  await write('Alpha', 'The text of Alpha');
  await write('Beta', 'Other words of Beta');
  const elsewhere = await write('Elsewhere', 'Something else');
  await run('move_page', { path: 'Beta', new_path: 'Gamma' });
  const between = await commitOf(run('append_to_page', { path: 'Elsewhere', content: 'More' }));
  const reused = await commitOf(run('move_page', { path: 'Alpha', new_path: 'Beta' }));
  return { ...site, elsewhere, between, reused };
}

test('a name that was used again shows the page that had it then, and leads to the one that has it now', async () => {
  const { run, get, elsewhere, between, reused } = await openReused();
  const { text } = await get(`/main/Beta?at=${elsewhere}`);
  expect(text).toContain('Other words of Beta');
  expect(linksIn(text, 'See the page as it is now')).toEqual(['/main/Gamma']);
  expect(linksIn(text, 'another page')).toEqual(['/main/Beta']);
  // No page had the name then: the one of today is shown under its name of that time.
  const { text: gap } = await get(`/main/Beta?at=${between}`);
  expect(gap).toContain('The text of Alpha');
  expect(linksIn(gap, 'See the page as it is now')).toEqual(['/main/Beta']);
  for (const [address, says] of [
    [`/main/Beta?at=${reused}`, 'The text of Alpha'],
    [`/main/Gamma?at=${elsewhere}`, 'Other words of Beta'],
    [`/main/Alpha?at=${elsewhere}`, 'The text of Alpha'],
  ] as const) {
    const { text: other } = await get(address);
    expect(other, address).toContain(says);
    expect(linksIn(other, 'another page'), address).toEqual([]);
  }
  const { version } = await run('read_page', { path: 'Gamma' });
  await run('delete_page', { path: 'Gamma', version });
  const { text: deleted } = await get(`/main/Beta?at=${elsewhere}`);
  expect(deleted).toContain('It was deleted since.');
  expect(linksIn(deleted, 'another page')).toEqual(['/main/Beta']);
});

test('a name that was used again shows the page that had it on a day, and leads to the one of today', async () => {
  const { get, directory } = await openSite();
  // The wiki makes its repository, and a first page.
  await get('/main');
  const commit = (day: number, changes: string) => `commit refs/heads/main
committer Ada <ada@example.org> ${Date.UTC(2020, 0, day, 12) / 1_000} +0000
data 3
Say
${day === 1 ? 'from refs/heads/main^0\n' : ''}${changes}
`;
  const file = (path: string, text: string) => `M 100644 inline ${path}.md\ndata ${text.length}\n${text}\n`;
  const stream = [
    commit(1, file('Alpha', 'The text of Alpha, long enough to be known again.')),
    commit(2, file('Beta', 'Other words of Beta, which a reader knows again.')),
    commit(3, file('Gone', 'This page is deleted, and its name used again.')),
    commit(5, 'R Beta.md Gamma.md\nD Gone.md'),
    commit(7, `R Alpha.md Beta.md\n${file('Gone', 'Nothing of what was here.')}`),
  ];
  git(join(directory, 'main.git'), ['fast-import', '--quiet', '--date-format=raw'], stream.join(''));
  const shown = async (path: string, at: string) => (await get(`/main/${path}?at=${at}`)).text;
  for (const [path, day, says, now] of [
    ['Beta', '2020-01-03', 'Other words of Beta', '/main/Gamma'],
    // No page had the name then: the one of today is shown under its name of that time.
    ['Beta', '2020-01-06', 'The text of Alpha', '/main/Beta'],
    ['Beta', '2020-01-08', 'The text of Alpha', '/main/Beta'],
    ['Beta', '2020-01-01', 'The text of Alpha', '/main/Beta'],
    ['Alpha', '2020-01-03', 'The text of Alpha', '/main/Beta'],
    ['Gamma', '2020-01-03', 'Other words of Beta', '/main/Gamma'],
    // A page that was deleted and written again is the same page to its history.
    ['Gone', '2020-01-04', 'This page is deleted', '/main/Gone'],
  ] as const) {
    const text = await shown(path, day);
    expect(text, `${path} ${day}`).toContain(says);
    expect(linksIn(text, 'See the page as it is now'), `${path} ${day}`).toEqual([now]);
    const isAnother = path === 'Beta' && now !== '/main/Beta';
    expect(linksIn(text, 'another page'), `${path} ${day}`).toEqual(isAnother ? ['/main/Beta'] : []);
  }
  expect(await shown('Beta', '2019-12-31')).toContain('was not there on 2019-12-31');
});

test('a past page that was deleted since leads to its history alone', async () => {
  const { run, get, first } = await openMoved();
  const { version } = await run('read_page', { path: 'Moves/Beta' });
  await run('delete_page', { path: 'Moves/Beta', version });
  const { text } = await get(`/main/Moves/Alpha?at=${first}`);
  expect(text).toContain('It was deleted since.');
  for (const words of ['See the page as it is now', 'Who wrote it']) expect(linksIn(text, words)).toEqual([]);
  for (const address of linksIn(text, 'History')) expect((await get(address)).status).toBe(200);
});

test('each change that blame names leads to the page of that time', async () => {
  const { get } = await openMoved();
  const { text } = await get('/main/Moves/Beta?view=blame');
  const changes = [...text.matchAll(/href="(\/main\/Moves\/[^"]*view=diff[^"]*)"/g)].map(
    ([, href = '']) => href,
  );
  expect(changes).toHaveLength(4);
  for (const address of changes) {
    const change = await get(address.replaceAll('&amp;', '&'));
    expect(change.status, address).toBe(200);
    expect(change.text).toContain('class="message"');
  }
});

test('a past page is found by its path of today too, and so are versions to compare', async () => {
  const { get, first, second } = await openMoved();
  expect((await get(`/main/Moves/Beta?at=${first}`)).text).toContain('known again.');
  expect((await get(`/main/Moves/Beta?view=blame&at=${first}`)).status).toBe(200);
  const { text } = await get(`/main/Moves/Beta?view=diff&from=${first}&to=${second}`);
  expect(text).toContain('1 line added, 0 removed');
});

test('a page is shown as of a day by its old and its new name', async () => {
  const { get } = await openMoved();
  const today = new Date().toISOString().slice(0, 10);
  for (const path of ['Moves/Beta', 'Moves/Alpha'])
    expect((await get(`/main/${path}?at=${today}`)).text).toContain('after the move');
});

test('the history of a page is filtered by author, agent and time', async () => {
  const { get } = await openMoved();
  const count = async (query: string) => {
    const { text } = await get(`/main/Moves/Beta?view=history&${query}`);
    return linksIn(text, 'The page then').length;
  };
  expect(await count('author=ada&agent=claude')).toBe(4);
  expect(await count('author=grace')).toBe(0);
  expect(await count('agent=cursor')).toBe(0);
  expect(await count('until=2001-01-01')).toBe(0);
  const { text } = await get('/main/Moves/Beta?view=history&author=grace');
  expect(text).toContain('name="author" value="grace"');
  expect(text).toContain('<input type="hidden" name="view" value="history">');
  expect(text).toContain('Nothing was changed.');
  expect(linksIn(text, 'Who wrote it')).toEqual(['/main/Moves/Beta?view=blame']);
});
