import { expect, test } from 'vitest';
import { ORIGIN, openTeam } from '../login/team.ts';
import { ERAS, writeBySdk } from './sdk-flow.ts';

const ADA = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' };

test.each(ERAS)(
  'the client of the SDK (%j) is given an address alone, and writes for a person',
  async (mode) => {
    const { loggedIn, port, directory } = await openTeam();
    const { asked, commit } = await writeBySdk(mode, { browser: await loggedIn(ADA), port, directory });
    expect(asked.origin).toBe(ORIGIN);
    expect(commit).toMatch(/^Ada <ada@example\.org>\nCreate Plan\n[\s\S]*Agent: sdk\/2/);
  },
);
