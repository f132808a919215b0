import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { SdkClient } from '../sdk-client.ts';

let parent: string;
let files: string;
let wiki: SdkClient;
const image = noise(2_000);

beforeAll(async () => {
  const [bundle, directory] = await Promise.all([builtServer(), temporaryDirectory()]);
  parent = directory;
  files = join(parent, 'files');
  await mkdir(files);
  await writeFile(join(files, 'chart.png'), image);
  await writeFile(join(files, 'data.csv'), 'a,b\n');
  await writeFile(join(parent, 'secret.png'), 'secret');
  await symlink(join(parent, 'secret.png'), join(files, 'link.png'));
  await symlink(parent, join(files, 'up'));
  const args = [bundle, '--dir', join(parent, 'wikis'), '--files', files];
  wiki = await new SdkClient(process.execPath, args).connect();
});

afterAll(() => wiki.close());

test('a file in an allowed directory is attached, shown as an image or a resource, and saved', async () => {
  const put = { path: 'img/chart.png', local_path: join(files, 'chart.png') };
  expect(await wiki.ok('put_attachment', put)).toMatchObject({ path: 'img/chart.png', size: 2_000 });
  await wiki.ok('put_attachment', { path: 'data.csv', local_path: 'data.csv' });

  const shown = await wiki.call('get_attachment', { path: 'img/chart.png' });
  expect(shown.content).toMatchObject([
    { type: 'text' },
    { type: 'image', mimeType: 'image/png', data: image.toString('base64') },
  ]);
  expect(JSON.stringify(shown.structuredContent)).not.toContain(image.toString('base64'));
  const text = await wiki.call('get_attachment', { path: 'data.csv' });
  expect(text.content).toMatchObject([
    { type: 'text' },
    { type: 'resource', resource: { uri: 'attachment:data.csv', mimeType: 'text/csv', text: 'a,b\n' } },
  ]);

  const saved = await wiki.ok('get_attachment', {
    path: 'img/chart.png',
    local_path: join(files, 'copy.png'),
  });
  expect(saved).toMatchObject({ saved_to: join(files, 'copy.png'), content: null });
  expect(await readFile(join(files, 'copy.png'))).toEqual(image);
  expect(
    await wiki.error('get_attachment', { path: 'data.csv', local_path: join(files, 'copy.png') }),
  ).toMatch(
    /^already_exists: There is something at ".*copy\.png" on this machine already\. Nothing was replaced\./,
  );
});

test('a file that does not fit leaves nothing behind, and the answer says why', async () => {
  await writeFile(join(files, 'large.bin'), noise(3_000_000));
  await wiki.ok('put_attachment', { path: 'large.bin', local_path: 'large.bin' });
  const server = [process.execPath, await builtServer(), '--dir', join(parent, 'wikis'), '--files', files];
  // Files of at most a megabyte, or half of one: shells count in other units.
  const limited = ['-c', 'ulimit -f 1000 && exec "$@"', 'sh', ...server];
  const cramped = await new SdkClient('/bin/sh', limited).connect();
  try {
    const before = await readdir(files);
    const refused = await cramped.error('get_attachment', { path: 'large.bin', local_path: 'saved.bin' });
    expect(await readdir(files)).toEqual(before);
    expect(refused).toMatch(
      /^backend_unavailable: ".*saved\.bin" could not be written on this machine: EFBIG/,
    );
  } finally {
    await cramped.close();
  }
});

test('nothing outside the allowed directories is read or written, by any kind of path or link', async () => {
  const outside = [
    join(parent, 'secret.png'),
    '../secret.png',
    join(files, '..', 'secret.png'),
    join(files, 'link.png'),
    join(files, 'up', 'secret.png'),
    '/etc/passwd',
    join(parent, 'nothing-here'),
  ];
  for (const local_path of outside) {
    const refused = await wiki.error('put_attachment', { path: 'x.png', local_path });
    expect(refused, local_path).toMatch(
      /^forbidden: .* is not in a directory whose files may be read and written\./,
    );
    expect(refused).toContain(`Allowed are ${files}.`);
  }
  for (const local_path of [join(parent, 'new.csv'), '../new.csv', join(files, 'up', 'new.csv')]) {
    expect(await wiki.error('get_attachment', { path: 'data.csv', local_path })).toMatch(/^forbidden: /);
  }
  expect((await readdir(parent)).toSorted()).toEqual(['files', 'secret.png', 'wikis']);
  expect(await wiki.error('put_attachment', { path: 'x.png', local_path: 'none.png' })).toMatch(
    /^not_found: There is nothing at "none\.png" on this machine\./,
  );
  expect(await wiki.error('put_attachment', { path: 'x.png', local_path: files })).toMatch(
    /^invalid_input: .* is not a file\./,
  );
});

test('no tool has an argument for bytes', async () => {
  const { tools } = await wiki.client.listTools();
  const put = tools.find((tool) => tool.name === 'put_attachment');
  expect(Object.keys(put?.inputSchema.properties ?? {})).toContain('local_path');
  expect(JSON.stringify(tools)).not.toContain('base64');
});
