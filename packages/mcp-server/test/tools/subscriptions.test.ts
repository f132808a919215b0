import { openWiki } from '@pagetree/wiki';
import { aroundEach, type CallInput, callOperation, type OperationName } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { Subscriptions } from '../../src/mcp/subscriptions.ts';
import { temporaryDirectory } from '../built-server.ts';

const CALLER = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };

/** Subscriptions to a new wiki. Looks follow each other at once. */
async function openSubscriptions() {
  const host = { backend: 'local', versions: {}, problems: [] };
  const directory = await temporaryDirectory();
  const { wiki, close } = await openWiki({ directory, wiki: null, placement: 'local', host });
  onTestFinished(close);
  const asked: string[] = [];
  const waiting = new Set<() => void>();
  /** Holds up the next look before it asks what changed. */
  let holding: { reached: () => void; goOn: Promise<void> } | null = null;
  const watched = aroundEach(
    async () => wiki,
    async (operation, go) => {
      asked.push(operation);
      for (const check of waiting) check();
      if (operation === 'list_changed' && holding !== null) {
        const { reached, goOn } = holding;
        holding = null;
        reached();
        await goOn;
      }
      return go();
    },
  );
  const notices: string[] = [];
  const subscriptions = new Subscriptions(watched, watched, { caller: CALLER }, 0, (uri) => {
    notices.push(uri);
    for (const check of waiting) check();
  });
  const subscribed = new Set<string>();
  onTestFinished(() => {
    for (const uri of subscribed) subscriptions.unsubscribe(uri);
  });
  const until = async (isSo: () => boolean) => {
    const reached = Promise.withResolvers<void>();
    const check = () => isSo() && reached.resolve();
    waiting.add(check);
    check();
    await reached.promise;
    waiting.delete(check);
  };
  return {
    asked,
    notices,
    subscribe: (uri: string) => {
      subscribed.add(uri);
      return subscriptions.subscribe(uri);
    },
    /** Waits for looks that began later and have ended. */
    looks: (count: number) => {
      const done = () => asked.filter((name) => name === 'list_changed').length;
      const before = done();
      return until(() => done() > before + count);
    },
    async noticed(uri: string) {
      await until(() => notices.includes(uri));
      expect(notices).toContain(uri);
    },
    hold: () => {
      const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      holding = { reached: reached.resolve, goOn: goOn.promise };
      return { reached: reached.promise, goOn: goOn.resolve };
    },
    run: <Name extends OperationName>(name: Name, input: CallInput<Name>) =>
      callOperation(wiki, name, input, { caller: CALLER }),
  };
}

test('a look asks each wiki once, however many of its pages are watched, and reads those that changed', async () => {
  const { asked, notices, subscribe, looks, noticed, run } = await openSubscriptions();
  await Promise.all(Array.from({ length: 100 }, (_, page) => subscribe(`wiki://main/page/P${page}`)));
  await looks(2);
  asked.length = 0;
  await looks(5);
  expect(new Set(asked)).toEqual(new Set(['list_changed']));
  asked.length = 0;
  await run('write_page', { path: 'P7', content: 'x\n' });
  await noticed('wiki://main/page/P7');
  await looks(2);
  expect(asked.filter((name) => name !== 'list_changed')).toEqual(['read_page']);
  expect(notices).toEqual(['wiki://main/page/P7']);
});

test('a change between the read of a new subscription and the answer to a look is noticed', async () => {
  const { subscribe, noticed, hold, run } = await openSubscriptions();
  await subscribe('wiki://main/page/Other');
  const look = hold();
  await look.reached;
  await subscribe('wiki://main/page/Page');
  await run('write_page', { path: 'Page', content: 'x\n' });
  look.goOn();
  await noticed('wiki://main/page/Page');
});

test('more changes than an answer names, another spelling and a wiki that is made later are noticed', async () => {
  const { subscribe, looks, noticed, hold, run } = await openSubscriptions();
  const uris = ['main/page/Z', 'main/page/A%CC%88.md', 'later/page/A', 'later/index'].map(
    (at) => `wiki://${at}`,
  );
  await Promise.all(uris.map(subscribe));
  await looks(2);
  const look = hold();
  await look.reached;
  for (const batch of [0, 1, 2]) {
    const paths = [...Array.from({ length: 99 }, (_, at) => `P${batch * 99 + at}`), 'Z'];
    const changes = paths.map((path) => ({ op: 'append' as const, path, content: 'x\n', create: true }));
    await run('commit_changes', { changes, message: 'Many pages' });
  }
  look.goOn();
  await run('write_page', { path: '\u00c4', content: 'x\n' });
  await run('create_wiki', { wiki: 'later' });
  await run('write_page', { wiki: 'later', path: 'A', content: 'x\n' });
  for (const uri of uris) await noticed(uri);
});

test('a page as of a commit is not read again, and one that is not there is if the wiki changes', async () => {
  const { asked, notices, subscribe, looks, run } = await openSubscriptions();
  await run('write_page', { path: 'A', content: 'x\n' });
  const { commit } = (await run('list_changed', {})) as { commit: string };
  await subscribe(`wiki://main/at/${commit}/page/A`);
  await subscribe(`wiki://main/at/${'f'.repeat(40)}/page/A`);
  await looks(2);
  asked.length = 0;
  await run('write_page', { path: 'B', content: 'x\n' });
  await looks(3);
  expect(asked.filter((name) => name === 'read_page')).toHaveLength(1);
  expect(notices).toEqual([]);
});
