import { type Call, type OperationName, toWikiError, type Wiki } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { zipOf } from '../../wiki/test/operations/archives.ts';
import { type Decision, limitToRights } from '../src/limit-to-rights.ts';
import { type Access, parseAccess } from '../src/parse-access.ts';
import { type Person, rightsOf } from '../src/rights.ts';
import { VARIANTS } from './matrix/calls.ts';
import { PEOPLE } from './matrix/people.ts';
import { EVERYTHING, openWorld, run, type World } from './matrix/worlds.ts';

const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
const write = { people: ['ada@example.org'], wikis: ['team'], may: 'write' };
const read = { ...write, may: 'read' };

test('a person whom no rule names finds nothing, whatever they ask', async () => {
  const world = await openWorld(EVERYTHING, 'team');
  const before = await world.trees();
  const { wiki, decisions } = limited(world, []);
  const target = {
    wiki: 'team',
    place: 'Guides/',
    path: 'Guides/Start',
    treePath: 'Guides/Start.md',
  } as const;
  const named = {
    version: 'a'.repeat(40),
    file: 'own.png',
    fileVersion: 'a'.repeat(40),
    commit: 'a'.repeat(40),
  };
  for (const { name, input } of VARIANTS) {
    for (const wikiNamed of ['team', 'nowhere', null]) {
      const asked = input({ ...target, ...named, known: 'a'.repeat(40), number: 1, zip: 'UEsF' });
      const error = await errorOf(wiki, name, { ...asked, ...(wikiNamed !== null && { wiki: wikiNamed }) });
      const isOwners =
        ['create_wiki', 'list_remotes'].includes(name) || (name === 'maintain_wiki' && 'all' in asked);
      expect(error, name).toMatchObject({ code: isOwners ? 'forbidden' : 'not_found' });
      if (!isOwners) {
        expect(error.data).toEqual({ wikis: [] });
        expect(error.text.now).toBe('There is no wiki that you may see.');
      }
    }
  }
  expect(decisions.length).toBe(VARIANTS.length * 3);
  expect(decisions.every(({ isAllowed }) => !isAllowed)).toBe(true);
  expect(await world.trees()).toBe(before);
});

test('a refusal says what a person may do and whom to ask, before anything is looked at', async () => {
  const world = await openWorld(EVERYTHING, 'team');
  const asked: OperationName[] = [];
  const { wiki } = limited(world, [{ ...read, folders: ['Guides/', 'Private/'] }], asked);
  expect(await errorOf(wiki, 'write_page', { path: 'Guides/None', content: '' })).toMatchObject({
    code: 'forbidden',
    text: {
      happened: 'You may read "Guides/", "Private/" in the wiki "team", not change it.',
      now: 'Nothing was looked at or changed.',
      next: 'Ask the person who runs this server for the right to write there.',
    },
    data: { wiki: 'team' },
  });
  expect(await errorOf(wiki, 'maintain_wiki', { wiki: 'team' })).toMatchObject({
    code: 'forbidden',
    text: {
      happened: 'This use of maintain_wiki is for people who administer the wiki "team", and you do not.',
    },
  });
  expect(asked).toEqual([]);
});

test('a person who may read all of a wiki and write in one folder changes nothing outside of it', async () => {
  const world = await openWorld(EVERYTHING, 'team');
  const { wiki } = limited(world, [read, { ...write, folders: ['Guides/'] }]);
  for (const path of ['New', 'GuidesX/New', 'Private/New'])
    expect((await errorOf(wiki, 'write_page', { path, content: '' })).code, path).toBe('forbidden');
  await run(wiki, 'write_page', { path: 'Guides/Own', content: 'new\n' }, { caller });
});

test('the log has the commit of a write, and that a page was asked for which is hidden', async () => {
  const world = await openWorld(EVERYTHING, 'team');
  const { wiki, decisions } = limited(world, [{ ...write, folders: ['Guides/'] }]);
  const page = { path: 'Guides/Own', content: 'new\n' };
  const { commit, version } = (await run(wiki, 'write_page', page, { caller })) as Record<string, string>;
  await run(wiki, 'write_page', { ...page, version }, { caller });
  for (const path of ['Private/Plan', 'Private/None', 'Guides/None', '[[None]]'])
    await errorOf(wiki, 'read_page', { path });
  await run(wiki, 'read_page', { path: 'Guides/Own' }, { caller });
  expect(decisions.map(({ effect, isAllowed, commit: made }) => [effect, isAllowed, made])).toEqual([
    ['write', true, commit],
    ['write', true, null],
    ['read', false, null],
    ['read', false, null],
    ['read', true, null],
    ['read', true, null],
    ['read', true, null],
  ]);
});

test('the log names the wiki of a call, which is the default wiki if the call names none', async () => {
  const world = await openWorld(EVERYTHING, 'team');
  const { wiki, decisions } = limited(world, [
    { ...read, wikis: ['umbra'] },
    { ...write, wikis: ['atlas'], may: 'administer' },
  ]);
  for (const named of [{ wiki: 'umbra' }, { wiki: 'team' }, {}])
    await run(wiki, 'list_pages', named, { caller }).catch(() => undefined);
  await run(wiki, 'list_wikis', {}, { caller });
  // The administrator of one wiki maintains it, and no other.
  await run(wiki, 'maintain_wiki', { wiki: 'atlas', mode: 'check' }, { caller });
  for (const input of [{ wiki: 'umbra', mode: 'check' }, { all: true }])
    expect((await errorOf(wiki, 'maintain_wiki', input)).code).toBe('forbidden');
  expect(decisions.map((each) => [each.operation, each.wiki, each.isAllowed])).toEqual([
    ['list_pages', 'umbra', true],
    ['list_pages', 'team', false],
    ['list_pages', 'atlas', true],
    ['list_wikis', null, true],
    ['maintain_wiki', 'atlas', true],
    ['maintain_wiki', 'umbra', false],
    ['maintain_wiki', null, false],
  ]);
});

test('two people may use the same request id, in one process too', async () => {
  const world = await openWorld(EVERYTHING, 'team');
  const page = { wiki: 'team', path: 'Guides/Start', content: 'a line\n', request_id: 'request-1' };
  const asPerson = (person: Pick<Person, 'issuer' | 'subject'>) =>
    run(
      limitToRights(world.wiki, rightsOf(PEOPLE.ada, accessOf([write])), {
        ...{ person, defaultWiki: null, decided: () => undefined },
      }),
      ...(['append_to_page', page, { caller }] as const),
    ) as Promise<{ commit: string }>;
  const people = [PEOPLE.ada, PEOPLE.grace, { ...PEOPLE.ada, issuer: 'https://other.example' }, PEOPLE.ada];
  const commits = [];
  for (const person of people) commits.push((await asPerson(person)).commit);
  expect(new Set(commits).size).toBe(3);
  expect(commits[3]).toBe(commits[0]);
});

test('a status shows the rights of the person, and nothing of other wikis or of the host', async () => {
  const world = await openWorld(EVERYTHING, 'team');
  const status = (...rules: object[]) => run(limited(world, rules).wiki, 'wiki_status', {}, { caller });
  expect(await status({ ...read, folders: ['Guides/'] })).toMatchObject({
    ...{ wiki: 'team', wikis: ['team'], pages: 4, read_only: true },
    ...{ scope: { read: ['Guides/'], write: [] }, clone: null, versions: {}, problems: [] },
  });
  expect(await status(read)).toMatchObject({ read_only: true, scope: { read: [''], write: [] } });
  expect(await status(write)).toMatchObject({ read_only: false, scope: null, clone: null, problems: [] });
  expect(await status({ ...write, may: 'administer' })).toMatchObject({
    ...{ wikis: ['team'], scope: null, clone: expect.stringContaining('team.git') },
    problems: expect.arrayContaining(['A fault of the host.']),
  });
});

test('places to link are shown to those who may link them, and to readers none', async () => {
  const world = await openWorld(EVERYTHING, 'team');
  const mentions = async (rule: object) =>
    (await run(limited(world, [rule]).wiki, 'list_mentions', { path: 'Drafts/One' }, { caller })) as {
      mentions: unknown[];
      truncated: boolean;
    };
  expect((await mentions(write)).mentions.length).toBeGreaterThan(0);
  expect(await mentions(read)).toEqual({ ...(await mentions(write)), mentions: [], truncated: false });
});

test('the remote is shown to those who administer, and if agents may sync to those who write everywhere', async () => {
  const world = await openWorld(EVERYTHING, 'team');
  const remote = {
    ...{ url: 'https://example.org/team.git', mode: 'two-way', branch: null, every_ms: 60_000 },
    token_from: null,
  };
  const owner = { ...write, may: 'administer' };
  const set = async (more: object) =>
    run(limited(world, [owner]).wiki, 'set_remote', { remote: { ...remote, ...more } }, { caller });
  const shown = async (rule: object) => {
    const { wiki } = limited(world, [rule]);
    const { sync } = (await run(wiki, 'wiki_status', {}, { caller })) as { sync: unknown };
    return sync !== null;
  };
  const others = [write, { ...write, folders: ['Guides/'] }, read];
  await set({});
  expect(await Promise.all([owner, ...others].map(shown))).toEqual([true, false, false, false]);
  await set({ agents_may_sync: true });
  expect(await Promise.all([owner, ...others].map(shown))).toEqual([true, true, false, false]);
  const asks = async (rule: object) => {
    const { wiki } = limited(world, [rule]);
    return run(wiki, 'sync_wiki', {}, { caller }).then(
      () => 'asked',
      (error: { code: string }) => error.code,
    );
  };
  const answers = ['asked', 'asked', 'forbidden', 'forbidden'];
  expect(await Promise.all([owner, ...others].map(asks))).toEqual(answers);
});

test('the remotes of all wikis are listed only for those who administer every wiki', async () => {
  const world = await openWorld(EVERYTHING, 'team');
  const owner = { ...write, may: 'administer' };
  const refused = limited(world, [{ ...owner, wikis: ['team'] }]);
  expect(await errorOf(refused.wiki, 'list_remotes', {})).toMatchObject({ code: 'forbidden' });
  const { wiki } = limited(world, [{ ...owner, wikis: ['*'] }]);
  expect(await run(wiki, 'list_remotes', {}, { caller })).toEqual({ remotes: [], next_cursor: null });
});

test('the scope of a call is narrowed by the rights, and never widened', async () => {
  const world = await openWorld(EVERYTHING, 'team');
  const { wiki } = limited(world, [
    { ...write, folders: ['Guides/Deep/', 'Drafts/'] },
    { ...read, folders: ['Guides/'] },
  ]);
  const pages = async (scope: Call['scope']) => {
    const { pages } = (await run(wiki, 'list_pages', {}, { caller, scope })) as { pages: { path: string }[] };
    return pages.map(({ path }) => path);
  };
  const deep = ['Guides/Deep/Inner', 'Guides/Deep/New'];
  expect(await pages({ read: ['Guides/Deep/', 'Private/'], write: ['Private/'] })).toEqual(deep);
  expect(await pages({ read: [''], write: [''] })).toEqual(await pages(undefined));
  const scope = { read: ['Guides/'], write: ['Guides/'] };
  const written = (path: string) =>
    errorOf(wiki, 'append_to_page', { path, content: 'x' }, { caller, scope });
  expect((await written('Guides/Start')).code).toBe('forbidden');
  expect((await written('Drafts/One')).code).toBe('forbidden');
  await run(wiki, 'append_to_page', { path: 'Guides/Deep/Inner', content: 'x' }, { caller, scope });
  const outside = { caller, scope: { read: ['Private/'], write: ['Private/'] } };
  expect(await errorOf(wiki, 'list_pages', {}, outside)).toMatchObject({
    code: 'forbidden',
    text: { happened: expect.stringContaining('you may read "Drafts/", "Guides/" in the wiki "team"') },
  });
});

test('who may write everywhere in a wiki makes none, and who administers it does', async () => {
  const world = await openWorld(EVERYTHING, 'team');
  const before = await world.trees();
  const zip = await zipOf({ 'A.md': 'a\n' });
  const { wiki } = limited(world, [{ ...write, wikis: ['*'] }]);
  for (const dry_run of [true, false]) {
    const error = await errorOf(wiki, 'import_wiki', { wiki: 'fresh', content: zip, dry_run });
    expect(error).toMatchObject({ code: 'not_found', data: { wikis: ['atlas', 'lumen', 'team', 'umbra'] } });
  }
  expect((await errorOf(wiki, 'create_wiki', { wiki: 'fresh' })).code).toBe('forbidden');
  expect((await errorOf(wiki, 'export_wiki', { format: 'bundle' })).code).toBe('forbidden');
  const history = Buffer.from('# v2 git bundle\n').toString('base64');
  expect((await errorOf(wiki, 'import_wiki', { content: history })).code).toBe('forbidden');
  expect((await errorOf(wiki, 'maintain_wiki', { all: true })).code).toBe('forbidden');
  expect(await world.trees()).toBe(before);
  const owner = limited(world, [{ ...write, wikis: ['fresh', 'other'], may: 'administer' }]).wiki;
  await run(owner, 'create_wiki', { wiki: 'fresh' }, { caller });
  await run(owner, 'import_wiki', { wiki: 'other', content: zip }, { caller });
  expect((await errorOf(owner, 'maintain_wiki', { all: true })).code).toBe('forbidden');
  expect(await run(owner, 'list_wikis', {}, { caller })).toEqual({
    wikis: ['fresh', 'other'],
    default: 'fresh',
  });
  const everywhere = limited(world, [{ ...write, wikis: ['*'], may: 'administer' }]).wiki;
  expect(await run(everywhere, 'maintain_wiki', { all: true }, { caller })).toMatchObject({ finished: true });
});

test('the error for a missing default wiki does not name the place where it was', async () => {
  const world = await openWorld({ atlas: ['Guides/'], umbra: ['Guides/'] }, 'team');
  const { wiki } = limited(world, [{ ...write, wikis: ['team', 'umbra'] }]);
  expect(await errorOf(wiki, 'list_pages', {})).toMatchObject({
    code: 'not_found',
    text: { happened: 'There is no wiki "team".', now: 'There are: umbra.' },
    data: { wikis: ['umbra'] },
  });
});

function limited(world: World, rules: readonly object[], asked: OperationName[] = []) {
  const access = accessOf(rules);
  const decisions: Decision[] = [];
  const inner = new Proxy(world.wiki, {
    get(wiki, name: OperationName) {
      asked.push(name);
      return wiki[name];
    },
  });
  const decided = (decision: Decision) => void decisions.push(decision);
  const options = { person: PEOPLE.ada, defaultWiki: 'team', decided };
  return { wiki: limitToRights(inner, rightsOf(PEOPLE.ada, access), options), decisions };
}

function accessOf(rules: readonly object[]): Access {
  const parsed = parseAccess(JSON.stringify({ version: 1, rules }));
  if (parsed.kind === 'mistake') throw new Error(parsed.sentence);
  return parsed.access;
}

async function errorOf(wiki: Wiki, name: OperationName, input: object, call: Call = { caller }) {
  try {
    await run(wiki, name, input, call);
  } catch (error) {
    return toWikiError(error);
  }
  throw new Error(`${name} was not refused`);
}
