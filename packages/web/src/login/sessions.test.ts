import { expect, test } from 'vitest';
import { Sealer } from './sealer.ts';
import { EndedInMemory, Sessions } from './sessions.ts';

const MINUTE_MS = 60_000;

test('a session that was renewed for hours stays ended after other sessions end', async () => {
  let ms = Date.UTC(2026, 10, 29);
  const now = () => ms;
  const sealer = new Sealer(Buffer.alloc(32, 1), now, 'https://issuer.example.org');
  const sessions = new Sessions(sealer, new EndedInMemory(now), now);
  const person = {
    ...{ issuer: 'https://issuer.example.org', subject: 'ada' },
    ...{ name: 'Ada', email: 'ada@example.org', groups: [] },
  };
  const session = sessions.begin(person);
  let cookie = await sessions.seal(session);
  for (let renewals = 0; renewals < 10; renewals += 1) {
    ms += 50 * MINUTE_MS;
    const opened = await sessions.open(cookie);
    expect(opened?.id).toBe(session.id);
    cookie = (opened && (await sessions.renew(opened))) ?? '';
  }
  await sessions.end(session);
  for (let looks = 0; looks < 5; looks += 1) {
    ms += 10 * MINUTE_MS;
    await sessions.end(sessions.begin(person));
    expect(await sessions.open(cookie)).toBeNull();
  }
});
