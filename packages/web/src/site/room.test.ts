import { expect, test } from 'vitest';
import { Room, type Share } from './room.ts';

const { signal } = new AbortController();

/** Takes a share, and notes its name once it is taken. */
async function enter(room: Room, amount: number, name: string, entered: string[]): Promise<Share> {
  const share = await room.take(amount, signal);
  entered.push(name);
  return share;
}

test('a share is taken once there is room for it, and small ones pass large ones by', async () => {
  const room = new Room(10);
  const entered: string[] = [];
  const first = await enter(room, 6, 'first', entered);
  const large = enter(room, 6, 'large', entered);
  const small = await enter(room, 3, 'small', entered);
  first.keep(2);
  // 5 are left.
  await enter(room, 1, 'next', entered);
  expect(entered).toEqual(['first', 'small', 'next']);
  small.keep(0);
  await large;
  expect(entered.at(-1)).toBe('large');
});

test('nothing is given back twice, and what is kept does not grow', async () => {
  const room = new Room(10);
  const entered: string[] = [];
  const first = await enter(room, 6, 'first', entered);
  for (const amount of [1, 0, 0, 6]) first.keep(amount);
  const [other, waiting] = [await enter(room, 10, 'other', entered), enter(room, 1, 'waiting', entered)];
  expect(entered).toEqual(['first', 'other']);
  other.keep(9);
  await waiting;
});

test('a share larger than the room gets all of it', async () => {
  const room = new Room(10);
  const entered: string[] = [];
  const small = await enter(room, 1, 'small', entered);
  const huge = enter(room, 1_000, 'huge', entered);
  small.keep(0);
  (await huge).keep(0);
  await enter(room, 10, 'all', entered);
  expect(entered).toEqual(['small', 'huge', 'all']);
});

test('a hundred wait, the next is refused, and one that ends makes room for it', async () => {
  const room = new Room(1);
  const { keep } = await room.take(1, signal);
  const gone = new AbortController();
  const leaving = room.take(1, gone.signal);
  const waiting = Array.from({ length: 99 }, () => room.take(1, signal));
  await expect(room.take(1, signal)).rejects.toMatchObject({ code: 'busy' });
  gone.abort();
  await expect(leaving).rejects.toMatchObject({ code: 'busy' });
  waiting.push(room.take(1, signal));
  keep(0);
  for (const each of waiting) (await each).keep(0);
});
