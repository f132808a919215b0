import { expect, test } from 'vitest';
import { measureClients, reportClients } from './bench-clients.ts';

test('ten clients of three people get no answer of somebody else, and every commit names both', async ({
  annotate,
}) => {
  const measured = await measureClients({ people: 3, clients: 10, goesOn: (done) => done < 5 });
  await annotate(reportClients(measured, 0));
  const { acknowledged, lost, byOthers, foreign, failed } = measured;
  expect({ lost, byOthers, foreign, failed }).toEqual({ lost: [], byOthers: [], foreign: [], failed: [] });
  expect(acknowledged).toBe(50);
});
