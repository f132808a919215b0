import { expect, test } from 'vitest';
import { measureHttp, reportHttp } from './bench-http.ts';

test('each acknowledged write of many clients is made once, whatever connections break', async ({
  annotate,
}) => {
  const measured = await measureHttp({ clients: 20, seconds: 10 });
  await annotate(reportHttp(measured));
  expect([measured.lost, measured.doubled]).toEqual([[], []]);
  const statuses = new Set(measured.clients.flatMap((client) => [...client.statuses.keys()]));
  expect([...statuses]).toEqual([200]);
  expect(measured.clients.flatMap(({ errors }) => errors)).toEqual([]);
  expect(measured.clients.some(({ broken }) => broken > 0)).toBe(true);
});
