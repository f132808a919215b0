import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import {
  aroundEach,
  type Call,
  callOperation,
  type OperationName,
  type Output,
  type Wiki,
  WikiError,
} from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { git, temporaryDirectory } from '../../wiki/test/native-git.ts';
import { type RoundParts, syncRound } from '../src/sync-round.ts';
import { RemoteFailure } from '../src/transport/remote-failure.ts';
import { emptyRepository } from './transport/repositories.ts';
import { type Fault, httpRemote, serveRepository } from './transport/served-repository.ts';

const CALL: Call = { caller: { author: { name: 'Ada Lovelace', email: 'ada@example.org' }, agent: null } };

/** Wikis in one directory, each with a remote that git serves, and rounds over them. */
async function openWikis(names: readonly string[], faults: Readonly<Record<string, Fault>> = {}) {
  const directory = temporaryDirectory();
  for (const name of names)
    git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', join(directory, `${name}.git`)]);
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: null, placement: 'local', host });
  onTestFinished(() => close());
  const run = async <Name extends OperationName>(name: Name, input: object): Promise<Output<Name>> =>
    (await callOperation(wiki, name, input, CALL)) as Output<Name>;
  const logged: string[] = [];
  const unrecorded: RoundParts['unrecorded'] = new Map();
  const remotes = new Map<string, Awaited<ReturnType<typeof serveRepository>> & { bare: string }>();
  for (const name of names) {
    const bare = emptyRepository();
    git(bare, ['config', 'http.receivepack', 'true']);
    remotes.set(name, { ...(await serveRepository(bare, faults[name])), bare });
  }
  const served = (name: string) => {
    const remote = remotes.get(name);
    if (remote === undefined) throw new Error(`There is no ${name}.`);
    return remote;
  };
  return {
    wiki,
    run,
    logged,
    served,
    add: (name: string, more: { folder?: string } = {}) =>
      run('set_remote', {
        wiki: name,
        remote: {
          ...{ url: served(name).url, mode: 'two-way', branch: null, token_from: null },
          every_ms: 60_000,
          ...more,
        },
      }),
    write: async (name: string, path: string) =>
      (await run('write_page', { wiki: name, path, content: `In ${name}.\n` })).commit,
    state: async (name: string) => (await run('get_remote', { wiki: name })).report?.state,
    there: (name: string) => git(served(name).bare, ['rev-parse', '--verify', '--quiet', 'main']),
    round: (parts: Partial<RoundParts> = {}) =>
      syncRound({
        ...{ wiki, call: CALL, signal: new AbortController().signal, leftMs: () => 600_000 },
        open: ({ url }) => ({ shown: url, remote: httpRemote(url) }),
        ...{ unrecorded, now: Date.now, random: () => 0.5, log: (sentence) => logged.push(sentence) },
        ...parts,
      }),
  };
}

test('a round syncs the wikis that are due, and asks no remote of another one', async () => {
  const wikis = await openWikis(['one', 'other', 'without']);
  for (const name of ['one', 'other']) await wikis.add(name);
  const first = await wikis.write('one', 'Home');
  await wikis.write('without', 'Home');
  await wikis.round();
  expect(wikis.there('one')).toBe(first);
  expect(await wikis.state('other')).toBe('in_step');
  expect(wikis.served('without').requests).toEqual([]);
  expect(wikis.logged.toSorted()).toEqual([
    expect.stringMatching(/^sync of one: In step with main\. Pushed what it lacked/),
    expect.stringMatching(/^sync of other: In step with main\./),
  ]);

  const asked = wikis.served('other').requests.length;
  const second = await wikis.write('one', 'News');
  await wikis.round();
  // News are pushed before it is time, and the other one is not due.
  expect(wikis.there('one')).toBe(second);
  expect(wikis.served('other').requests.length).toBe(asked);
  await wikis.round({ now: () => Date.now() + 61_000 });
  expect(wikis.served('other').requests.length).toBeGreaterThan(asked);
});

test('a round in which nothing is due asks the wikis once, however many there are', async () => {
  const wikis = await openWikis(['one', 'other', ...Array.from({ length: 4 }, (_, at) => `w${at}`)]);
  for (const name of ['one', 'other']) {
    await wikis.write(name, 'Home');
    await wikis.add(name);
  }
  await wikis.round();
  const asked: string[] = [];
  const wiki = aroundEach(
    async () => wikis.wiki,
    (operation, run) => {
      asked.push(operation);
      return run();
    },
  );
  await wikis.round({ wiki });
  expect(asked).toEqual(['list_remotes']);

  // A sync at which nothing has changed. Opening a wiki is left to it.
  asked.length = 0;
  await wikis.round({ wiki, now: () => Date.now() + 61_000 });
  const ofOne = ['get_remote', 'list_refs', 'list_refs', 'report_sync'];
  expect(asked.toSorted()).toEqual([...ofOne, ...ofOne, 'list_remotes'].toSorted());
});

test('a remote that was removed since the round began is not called', async () => {
  const wikis = await openWikis(['one']);
  await wikis.add('one');
  const wiki: Wiki = {
    ...wikis.wiki,
    list_remotes: async (input, call) => {
      const listed = await wikis.wiki.list_remotes(input, call);
      await wikis.run('set_remote', { wiki: 'one', remote: null });
      return listed;
    },
  };
  await wikis.round({ wiki });
  expect(wikis.served('one').requests).toEqual([]);
});

test('rounds that know nothing but reports keep a wiki in sync with a folder', async () => {
  const wikis = await openWikis(['one']);
  await wikis.add('one', { folder: 'docs' });
  const asked = () => wikis.served('one').requests.filter(({ method }) => method === 'POST').length;
  for (const [round, page] of ['Home', 'News', 'More'].entries()) {
    await wikis.write('one', page);
    const before = asked();
    await wikis.round();
    expect(await wikis.state('one')).toBe('in_step');
    const log = git(wikis.served('one').bare, ['log', '--format=', '--name-only', 'main']).split('\n');
    expect(log.filter(Boolean)).toHaveLength(round + 1);
    expect(log[0]).toBe(`docs/${page}.md`);
    // The refs and the push: what a push needs of the remote is in the report.
    expect(asked() - before).toBe(2);
  }
});

test('a remote that cannot be used is reported, and holds up no other wiki', async () => {
  const wikis = await openWikis(['one', 'other']);
  for (const name of ['one', 'other']) await wikis.add(name);
  await wikis.round({
    open: ({ url }, name) => {
      if (name === 'one') throw new RemoteFailure('unsupported', { remote: url, reason: 'https_only' });
      return { shown: url, remote: httpRemote(url) };
    },
  });
  expect(await wikis.state('one')).toBe('unsupported');
  expect(await wikis.state('other')).toBe('in_step');
});

test('remotes that do not answer hold up no other wiki', async () => {
  const { promise: synced, resolve } = Promise.withResolvers<void>();
  const waits: Fault = async () => {
    await synced;
    return undefined;
  };
  const slow = ['slow-a', 'slow-b', 'slow-c'];
  const wikis = await openWikis([...slow, 'zest'], Object.fromEntries(slow.map((name) => [name, waits])));
  for (const name of [...slow, 'zest']) await wikis.add(name);
  const running = wikis.round({
    // The slow ones come first.
    random: descending(),
    log: (sentence) => {
      if (sentence.startsWith('sync of zest: In step')) resolve();
    },
  });
  await synced;
  for (const name of slow) expect(await wikis.state(name)).toBeUndefined();
  await running;
  for (const name of slow) expect(await wikis.state(name)).toBe('in_step');
});

test('a round begins nothing when its time is nearly over, and says so', async () => {
  const wikis = await openWikis(['one']);
  await wikis.add('one');
  await wikis.round({ leftMs: () => 10_000 });
  expect(wikis.served('one').requests).toEqual([]);
  expect(wikis.logged).toEqual([expect.stringContaining('the time is over')]);
});

test('a round that is ended gives up what is under way, and records nothing of it', async () => {
  const stop = new AbortController();
  const stops: Fault = () => {
    stop.abort();
    return new Promise<never>(() => {});
  };
  const wikis = await openWikis(['one'], { one: stops });
  await wikis.add('one');
  await wikis.round({ signal: stop.signal });
  expect(await wikis.state('one')).toBeUndefined();
  expect(wikis.logged).toEqual(['sync of one: the time is over.']);
});

test('a wiki that is slow itself is given up at the deadline of the attempt, and reported', async () => {
  const wikis = await openWikis(['one']);
  await wikis.add('one');
  await wikis.write('one', 'Home');
  // It never packs what the remote lacks.
  const wiki: Wiki = {
    ...wikis.wiki,
    send_objects: (_input, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  };
  let asked = 0;
  const leftMs = () => {
    asked += 1;
    // The round is asked by each of its workers before the first attempt has its deadline.
    return asked <= 4 ? 600_000 : 12_000;
  };
  await wikis.round({ wiki, leftMs });
  expect(await wikis.state('one')).toBe('timeout');
});

test('a wiki that has too much for one push is reported, and nothing is pushed', async () => {
  const wikis = await openWikis(['one']);
  await wikis.add('one');
  await wikis.write('one', 'Home');
  await wikis.round({ maxPushBytes: 100 });
  expect(await wikis.state('one')).toBe('too_large');
  expect(wikis.served('one').requests.filter(({ url }) => url.endsWith('/git-receive-pack'))).toEqual([]);
});

test('a wiki that takes no report is not tried again before it is time', async () => {
  const wikis = await openWikis(['one']);
  await wikis.add('one');
  const text = { happened: 'There is no room.', now: 'Nothing was kept.', next: 'Make room.' };
  const full = () => Promise.reject(new WikiError('backend_unavailable', text));
  const wiki: Wiki = { ...wikis.wiki, report_sync: full };
  await wikis.round({ wiki });
  const asked = wikis.served('one').requests.length;
  expect(asked).toBeGreaterThan(0);
  await wikis.round({ wiki });
  expect(wikis.served('one').requests.length).toBe(asked);
  await wikis.round({ now: () => Date.now() + 61_000 });
  expect(wikis.served('one').requests.length).toBeGreaterThan(asked);
});

test('a round fails if nobody says which remotes there are', async () => {
  const wikis = await openWikis([]);
  const broken = { ...wikis.wiki, list_remotes: () => Promise.reject(new Error('no answer')) };
  await expect(wikis.round({ wiki: broken })).rejects.toThrow();
});

/** Numbers for the order of wikis: the first one gets the last place, from which a round begins. */
function descending(): () => number {
  let next = 1;
  return () => {
    next /= 2;
    return next;
  };
}
