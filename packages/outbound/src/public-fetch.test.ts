import { expect, test } from 'vitest';
import { namesLeadTo, openListener } from '../test/nearby-server.ts';
import { publicFetch } from './public-fetch.ts';

test.each([
  'https://127.0.0.1:PORT/main.git',
  'https://2130706433:PORT/main.git',
  'https://0x7f.1:PORT/main.git',
  'https://[::1]:PORT/main.git',
  'https://[::ffff:127.0.0.1]:PORT/main.git',
  'https://localhost:PORT/main.git',
  'https://10.0.0.1/main.git',
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/latest/meta-data/',
])('%s is never connected to', async (address) => {
  const { port, reached } = await openListener();
  const asked = publicFetch()(address.replace('PORT', `${port}`));
  await expect(asked).rejects.toMatchObject({ code: 'ERR_NOT_PUBLIC' });
  expect(reached.times).toBe(0);
});

test.each([[['127.0.0.1']], [['10.0.0.1']], [['1.1.1.1', '127.0.0.1']], [['fd00::1']], [[]]])(
  'a name that leads to %j is never connected to',
  async (addresses) => {
    const { port, reached } = await openListener();
    const asked = publicFetch(namesLeadTo(...addresses))(`https://git.example:${port}/main.git`);
    await expect(asked).rejects.toMatchObject({ code: 'ERR_NOT_PUBLIC' });
    expect(reached.times).toBe(0);
  },
);

test('http:// is not called', async () => {
  const { port, reached } = await openListener();
  await expect(publicFetch(namesLeadTo('1.1.1.1'))(`http://git.example:${port}/`)).rejects.toThrow(
    'https://',
  );
  expect(reached.times).toBe(0);
});

test('a call that was given up makes no connection', async () => {
  const signal = AbortSignal.abort();
  const { port, reached } = await openListener();
  const reaching = { ...namesLeadTo('127.0.0.1'), isAllowed: () => true };
  const asked = publicFetch(reaching)(`https://git.example:${port}/`, { signal });
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  expect(reached.times).toBe(0);
});
