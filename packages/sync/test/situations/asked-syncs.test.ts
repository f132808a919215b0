import { expect, test } from 'vitest';
import { World } from './world.ts';

/** A wiki in step whose remote agents may sync, with a sync under way during which `during` happens once. */
async function syncWhile(during: (world: World) => Promise<unknown>) {
  const world = await World.begun({ agents_may_sync: true });
  world.fault = async () => {
    world.fault = null;
    await during(world);
    return undefined;
  };
  return { world, report: await world.sync() };
}

test('a sync that an agent asked for while one was under way is due after it: it may come from later news', async () => {
  const { world, report } = await syncWhile((asked) => asked.run('sync_wiki', {}));
  expect(report).toMatchObject({ state: 'in_step', next_at: report.at });
  // That one is due as usual.
  const next = await world.sync();
  expect(next.next_at).toBe(next.at + world.settings.every_ms);
});

test('a sync that nobody asked for is due as usual', async () => {
  const { world, report } = await syncWhile((asked) => asked.run('wiki_status', {}));
  expect(report.next_at).toBe(report.at + world.settings.every_ms);
});
