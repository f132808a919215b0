import { expect, test } from 'vitest';
import { measureTeam, reportTeam } from './bench-team.ts';

test('no write of 20 people at once is lost or doubled, and none is taken for somebody else', async ({
  annotate,
}) => {
  const measured = await measureTeam({ people: 20, pauseMs: 0, goesOn: (done) => done < 6 });
  await annotate(reportTeam(measured, 0));
  const { people, lost, doubled, byOthers } = measured;
  expect({ lost, doubled, byOthers }).toEqual({ lost: [], doubled: [], byOthers: [] });
  expect(people.flatMap(({ mixedUp }) => mixedUp)).toEqual([]);
  expect(people.reduce((sum, person) => sum + person.withoutTime, 0)).toBe(0);
  // Each person writes a page of their own once, and one that they share.
  for (const { name, acknowledged, conflicts } of people)
    expect([name, acknowledged.length + conflicts]).toEqual([name, 2]);
  const statuses = new Set(people.flatMap((person) => [...person.statuses.keys()]));
  expect([...statuses].filter((status) => ![200, 303, 404, 409, 429].includes(status))).toEqual([]);
});
