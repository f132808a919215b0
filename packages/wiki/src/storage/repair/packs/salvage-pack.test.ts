import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noise } from '../../../../../../labs/noise.ts';
import { git, temporaryDirectory } from '../../../../test/native-git.ts';
import { overwrite } from '../../../../test/storage/stores.ts';
import { nativeView, newWiki, openWriter } from '../../../../test/storage/writers.ts';

it('keeps every object of a pushed pack in which a delta comes before its base', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  const text = noise(30_000).toString('base64');
  await writer.put('Big.md', text);
  await writer.storage.close();
  const before = new Set(indexesOf(directory));
  const pushed = pushLine(directory, 'Big.md');
  const [index = ''] = indexesOf(directory).filter((path) => !before.has(path));
  expect(git(directory, ['verify-pack', '-v', index])).toMatch(/^[0-9a-f]{40} blob +\d+ \d+ \d+ 1 /m);
  const bytes = readFileSync(index);
  bytes.fill(0, bytes.length / 2);
  overwrite(index, bytes);

  const report = await (await openWriter(directory)).storage.repair();
  expect(report).toMatchObject({ packsReplaced: 1, commit: null, parent: pushed, lost: [], lostCommits: [] });
  expect(nativeView(directory).pages).toEqual({ 'Big.md': `${text}\nA line.` });
});

it('keeps an object whose delta base is damaged, if another pack holds a copy of the base', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  const text = noise(30_000).toString('base64');
  await writer.put('Big.md', text);
  await writer.put('Big.md', `${text}\nA line.`);
  await writer.storage.close();
  git(directory, ['repack', '--quiet', '-a', '-d', '-f']);
  const [index = ''] = indexesOf(directory);
  const entries = git(directory, ['verify-pack', '-v', index]).split('\n');
  const base = /^[0-9a-f]{40} blob +\d+ \d+ \d+ 1 ([0-9a-f]{40})$/m.exec(entries.join('\n'))?.[1] ?? '';
  const place = entries.find((line) => line.startsWith(base))?.split(/ +/)[4];
  git(directory, ['pack-objects', '--quiet', join(directory, 'objects/pack/pack')], base);
  const pack = index.replace(/idx$/, 'pack');
  const bytes = readFileSync(pack);
  bytes.fill(0, Number(place) + 100, Number(place) + 200);
  overwrite(pack, bytes);

  const report = await (await openWriter(directory)).storage.repair();
  expect(report).toMatchObject({ packsReplaced: 1, commit: null, lost: [], lostCommits: [] });
  expect(nativeView(directory).pages).toEqual({ 'Big.md': `${text}\nA line.` });
});

/** The commit of somebody who adds a line to a page. */
function pushLine(directory: string, page: string): string {
  const clone = join(temporaryDirectory(), 'clone');
  git(directory, ['clone', '--quiet', directory, clone]);
  appendFileSync(join(clone, page), '\nA line.');
  git(clone, ['commit', '--quiet', '--all', '--message=Add a line']);
  git(clone, ['push', '--quiet', 'origin', 'main']);
  return git(clone, ['rev-parse', 'HEAD']);
}

function indexesOf(directory: string): string[] {
  const packs = join(directory, 'objects/pack');
  return readdirSync(packs)
    .filter((file) => file.endsWith('.idx'))
    .map((file) => join(packs, file));
}
