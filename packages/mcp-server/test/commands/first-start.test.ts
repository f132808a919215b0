import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { git, gitFsck } from '../git.ts';
import { SdkClient } from '../sdk-client.ts';

let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

test('two first starts at once make one wiki, and both write to it', async () => {
  for (let round = 1; round <= sampled(5, 2); round += 1) {
    const directory = join(await temporaryDirectory(), 'wikis');
    const starts = [1, 2].map(() => new SdkClient(process.execPath, [bundle, '--dir', directory]).connect());
    const clients = await Promise.all(starts);
    await Promise.all(
      clients.map((client, n) => client.ok('write_page', { path: `Page ${n}`, content: 'x' })),
    );
    const [first, second] = await Promise.all(clients.map((client) => client.ok('list_pages')));
    expect(first).toEqual(second);
    await Promise.all(clients.map((client) => client.close()));

    expect((await readdir(directory)).toSorted()).toEqual(['default-wiki', 'main.git']);
    await gitFsck(join(directory, 'main.git'));
    const files = (await git(join(directory, 'main.git'), 'ls-tree', '-r', '--name-only', 'main')).split(
      '\n',
    );
    expect(files).toEqual(expect.arrayContaining(['Home.md', 'Page 0.md', 'Page 1.md']));
  }
});
