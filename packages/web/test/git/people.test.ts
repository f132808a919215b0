import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { git, temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { fetchAs } from '../clients/fetch-as.ts';
import { OwnIssuer } from '../login/own-issuer.ts';
import { HOST, ORIGIN, openTeam } from '../login/team.ts';
import { tryGit } from './run-git.ts';

const RULES = [
  { people: ['ada@example.org'], wikis: ['main', 'other'], may: 'write' },
  { people: ['grace@example.org'], wikis: ['main'], folders: ['Public/'], may: 'read' },
  { people: ['joan@example.org'], wikis: ['main'], may: 'read' },
];

async function openPeople(more: Parameters<typeof openTeam>[0] = {}) {
  const issuer = await OwnIssuer.open();
  const team = await openTeam({ rules: RULES, issuer, ...more });
  const place = temporaryDirectory();
  const person = (name: string) => ({
    ...{ issuer: issuer.address, subject: name, email: `${name}@example.org`, groups: [] },
    name: `${name[0]?.toUpperCase()}${name.slice(1)}`,
  });
  await team.run('write_page', { path: 'Public/Tea', content: 'green\n' });
  await team.run('create_wiki', { wiki: 'secret' });
  /** Runs git as with a proxy, which sends the name of the host, and with a token in a credential helper. */
  const as = (secret: string, ...args: string[]) => {
    const helper = `credential.helper=!f() { test "$1" = get && echo username=any && echo password=${secret}; }; f`;
    return tryGit(place, ['-c', helper, '-c', `http.extraHeader=Host: ${HOST}`, ...args]);
  };
  const url = (wiki: string) => `http://127.0.0.1:${team.port}/${wiki}.git`;
  const ask = (address: string, headers: Record<string, string> = {}) =>
    fetchAs(HOST, team.port)(ORIGIN + address, { headers });
  return { ...team, place, person, as, url, ask };
}

const REFS = '/main.git/info/refs?service=git-upload-pack';

test('a person clones by a token of their own, and the log says who and by what', async () => {
  const { client, person, as, url, place, audited } = await openPeople();
  const { secret, id } = await client(person('ada'));
  expect(await as(secret, 'clone', url('main'), 'copy')).toMatchObject({ status: 0 });
  expect(git(`${place}/copy`, ['ls-files'])).toContain('Public/Tea.md');
  const operations = audited.flatMap((each) =>
    each.event === 'access' ? [[each.decision.operation, each.decision.isAllowed, each.client]] : [],
  );
  expect(operations).toContainEqual(['send_objects', true, { kind: 'token', id, name: 'of Ada' }]);
});

test('without a token, with one that is unknown or revoked, or with a session, git is asked for one', async () => {
  const { client, person, ask, tokens, loggedIn, gifts, people } = await openPeople();
  const ada = person('ada');
  const { secret, id } = await client(ada);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  expect((await ask(REFS, bearer(secret))).status).toBe(200);
  const browser = await loggedIn({ sub: 'ada', email: 'ada@example.org' });
  const answers = [
    await ask(REFS),
    await ask(REFS, bearer(`${secret.slice(0, -3)}abc`)),
    await ask('/secret.git/info/refs?service=git-upload-pack', bearer('x')),
  ];
  expect(await browser.get(REFS, { accept: '*/*', 'sec-fetch-site': 'none' })).toMatchObject({ status: 401 });
  expect(await browser.get('/main.git')).toMatchObject({ status: 404 });
  await tokens.revoke(ada, id);
  answers.push(await ask(REFS, bearer(secret)));
  await people.remember(ada);
  const untilMs = Date.now() + 3_600_000;
  const gift = {
    given: { may: 'write', wikis: null } as const,
    clientId: 'c',
    name: 'C',
    place: 'p',
    untilMs,
  };
  await gifts.make(ada, 'grant', gift);
  answers.push(await ask(REFS, bearer('grant')));
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  expect(new Set(texts).size).toBe(1);
  for (const { headers } of answers)
    expect(headers.get('www-authenticate')).toMatch(/^Basic realm="Pagetree"/);
});

test('a wiki that the person may not see is answered as one that is not there', async () => {
  const { client, person, ask, port } = await openPeople();
  const { secret } = await client(person('ada'));
  const headers = { authorization: `Bearer ${secret}` };
  const pushed = await Promise.all(
    ['secret', 'nobody'].map(async (wiki) => {
      const type = { 'content-type': 'application/x-git-receive-pack-request' };
      const sent = { method: 'POST', body: '0000', headers: { ...headers, ...type } };
      const answer = await fetchAs(HOST, port)(`${ORIGIN}/${wiki}.git/git-receive-pack`, sent);
      return { status: answer.status, text: (await answer.text()).replaceAll(wiki, 'WIKI') };
    }),
  );
  expect(pushed[0]).toEqual(pushed[1]);
  expect(pushed[0]?.status).toBeLessThan(500);
  for (const service of ['git-upload-pack', 'git-receive-pack']) {
    const [hidden, missing] = await Promise.all(
      ['secret', 'nobody'].map(async (wiki) => {
        const answer = await ask(`/${wiki}.git/info/refs?service=${service}`, headers);
        return { status: answer.status, text: (await answer.text()).replaceAll(wiki, 'WIKI') };
      }),
    );
    expect(hidden).toEqual(missing);
    expect(hidden?.status).toBe(404);
  }
});

test('the log has who pushed which commit, whatever author the commit names', async () => {
  const { client, person, as, url, place, audited } = await openPeople();
  const { secret, id } = await client(person('ada'));
  expect(await as(secret, 'clone', url('main'), 'copy')).toMatchObject({ status: 0 });
  const commit = ['commit', '--allow-empty', '--author', 'Grace <grace@example.org>', '--message', 'mine'];
  await as(secret, '-C', 'copy', ...commit);
  expect(await as(secret, '-C', 'copy', 'push', 'origin', 'HEAD:main')).toMatchObject({ status: 0 });
  const made = git(`${place}/copy`, ['rev-parse', 'HEAD']).trim();
  expect(audited.filter((each) => each.event === 'access' && !each.decision.isAllowed)).toEqual([]);
  expect(audited.at(-1)).toMatchObject({
    ...{ person: { subject: 'ada' }, client: { id } },
    decision: { operation: 'receive_push', wiki: 'main', isAllowed: true, commit: made },
  });
});

test('a token that may only read takes no push, and one for some folders gives no clone', async () => {
  const { client, person, as, url, audited } = await openPeople();
  const readers = [await client(person('ada'), 'read'), await client(person('joan'))];
  for (const [at, { secret }] of readers.entries()) {
    expect(await as(secret, 'clone', url('main'), `copy${at}`)).toMatchObject({ status: 0 });
    await as(secret, '-C', `copy${at}`, 'commit', '--allow-empty', '--message', 'mine');
    const pushed = await as(secret, '-C', `copy${at}`, 'push', 'origin', 'HEAD:main');
    expect([pushed.status, pushed.stderr]).toEqual([
      128,
      expect.stringContaining('remote: Nothing can be pushed'),
    ]);
    expect(audited.at(-1)).toMatchObject({
      decision: { operation: 'receive_push', effect: 'write', wiki: 'main', isAllowed: false },
    });
  }
  const { secret } = await client(person('grace'));
  const cloned = await as(secret, 'clone', url('main'), 'part');
  expect([cloned.status, cloned.stderr]).toEqual([128, expect.stringMatching(/^remote: A clone/m)]);
});

test('what a page makes a browser send is refused, whatever token it adds', async () => {
  const { client, person, ask } = await openPeople();
  const { secret } = await client(person('ada'));
  const headers = { authorization: `Bearer ${secret}`, origin: ORIGIN };
  expect((await ask(REFS, headers)).status).toBe(403);
});

test('rights that change count at once', async () => {
  const { client, person, as, url, setRules } = await openPeople();
  const { secret } = await client(person('ada'));
  expect(await as(secret, 'clone', url('main'), 'copy')).toMatchObject({ status: 0 });
  setRules([{ people: ['ada@example.org'], wikis: ['other'], may: 'write' }]);
  expect((await as(secret, '-C', 'copy', 'fetch')).stderr).toContain('not found');
});

test('a long clone ends when its token is revoked', async () => {
  const { client, person, port, tokens } = await openPeople({
    around: (wiki) => ({
      ...wiki,
      send_objects: async (_input, call) => {
        await pause(50);
        call.takeBytes?.(Buffer.alloc(1_000_000));
        return { common: [], shallow: [], unshallow: [], objects: 1_000, content: null, next_cursor: 'x' };
      },
    }),
  });
  const ada = person('ada');
  const { secret, id } = await client(ada);
  const lines = ['0011command=fetch', '0001', `0032want ${'a'.repeat(40)}\n`, '0009done\n', '0000'];
  const answer = await fetchAs(HOST, port)(`${ORIGIN}/main.git/git-upload-pack`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/x-git-upload-pack-request',
      'git-protocol': 'version=2',
    },
    body: lines.join(''),
  });
  expect(answer.status).toBe(200);
  const text = answer.text();
  await tokens.revoke(ada, id);
  expect((await text).slice(-200)).toContain('The token was revoked');
});
