import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { type CallInput, callOperation, type Wiki, WikiError } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
import { git, temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { commitFiles } from '../../../wiki/test/operations/local-backends.ts';
import { everyLocalFile } from './local-files.ts';
import { withLocalFiles } from './with-local-files.ts';

const call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
const MOST = 100_000;

/** Pages that are more than three times of what one call gives, an empty file, and deep ones. */
const FILES = Object.fromEntries([
  ...Array.from({ length: 200 }, (_, at) => [`${at}.md`, noise(1_000).toString('base64')] as const),
  ['a/b/c/Deep.md', 'Deep.\n'],
  ['empty.bin', ''],
  ['Ünï/cödé.md', 'Text.\n'],
]);

async function openIn(directory: string, attachmentBytes?: number) {
  const host = { backend: 'test', versions: {}, problems: [], ...(attachmentBytes && { attachmentBytes }) };
  const opened = await openWiki({ directory, wiki: 'main', placement: 'shared', host });
  onTestFinished(() => opened.close());
  return opened.wiki;
}

/** A wiki of another process, and a directory with its repository. */
async function openLargeWiki(files: Record<string, string | Uint8Array> = FILES) {
  const directory = temporaryDirectory();
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', 'main.git']);
  commitFiles(join(directory, 'main.git'), files);
  return { wiki: await openIn(directory, MOST), directory, repository: join(directory, 'main.git') };
}

function exportTo(wiki: Wiki, place: string, input: object, isRemote = true) {
  const withFiles = withLocalFiles(wiki, everyLocalFile(), { savesFiles: true, isRemote });
  return callOperation(withFiles, 'export_wiki', { local_path: place, ...input }, call);
}

/** The wiki, and what `export_wiki` was asked for. */
function watched(
  wiki: Wiki,
  before: (asked: CallInput<'export_wiki'>) => Promise<unknown> | undefined = () => undefined,
) {
  const asked: CallInput<'export_wiki'>[] = [];
  const watching: Wiki = {
    ...wiki,
    async export_wiki(input, more) {
      asked.push(input);
      await before(input);
      return wiki.export_wiki(input, more);
    },
  };
  return { watching, asked };
}

test.each(['folder', 'zip'] as const)(
  'a %s that is too large for one call comes from another process in parts, of one commit',
  async (format) => {
    const { wiki, repository, directory } = await openLargeWiki();
    const place = join(temporaryDirectory(), 'all');
    const head = git(repository, ['rev-parse', 'main']);
    // Somebody writes in between.
    const { watching, asked } = watched(wiki, async ({ part_from: from = 0 }) => {
      // This page is in the last part.
      if (from > 0) await callOperation(wiki, 'append_to_page', { path: '99', content: `${from}` }, call);
    });
    const output = await exportTo(watching, place, { format });
    expect(output).toMatchObject({
      ...{ wiki: 'main', commit: head, format, files: 203 },
      ...{ left_out: [], left_out_total: 0, content: null, saved_to: place },
    });
    const { size } = output as { size: number };
    if (format === 'zip') expect(size).toBe(statSync(place).size);
    else expect(size).toBeGreaterThan(2 * MOST);
    expect(asked.length).toBeGreaterThan(3);
    if (format === 'zip') {
      const whole = await (await openIn(directory)).export_wiki({ format, at: head }, call);
      expect(readFileSync(place)).toEqual(Buffer.from(whole.content ?? '', 'base64'));
      return;
    }
    const found = readdirSync(place, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    expect(found).toHaveLength(203);
    for (const [file, text] of Object.entries(FILES))
      expect(readFileSync(join(place, file), 'utf8')).toBe(text);
  },
);

test('an older commit comes in parts too', async () => {
  const { wiki, repository } = await openLargeWiki();
  const at = git(repository, ['rev-parse', 'main']);
  await callOperation(wiki, 'append_to_page', { path: '0', content: 'later' }, call);
  const place = join(temporaryDirectory(), 'old');
  expect(await exportTo(wiki, place, { at })).toMatchObject({ commit: at, format: 'folder' });
  expect(readFileSync(join(place, '0.md'), 'utf8')).toBe(FILES['0.md']);
});

test('a file that alone is more than one call gives is refused, and nothing stays', async () => {
  const { wiki } = await openLargeWiki({ ...FILES, 'large.bin': noise(2 * MOST) });
  const directory = temporaryDirectory();
  for (const format of ['folder', 'zip'])
    await expect(exportTo(wiki, join(directory, 'all'), { format })).rejects.toMatchObject({
      code: 'too_large',
    });
  expect(readdirSync(directory)).toEqual([]);
});

test.each([0, 100])('a part from %i on that does not come leaves nothing', async (first) => {
  const { wiki } = await openLargeWiki();
  const { watching } = watched(wiki, async ({ part_from: from }) => {
    if (from === undefined || from < first) return;
    throw new WikiError('busy', { happened: 'No.', now: 'Nothing was read.', next: 'Wait.' });
  });
  const directory = temporaryDirectory();
  for (const format of ['folder', 'zip'])
    await expect(exportTo(watching, join(directory, 'all'), { format })).rejects.toMatchObject({
      code: 'busy',
    });
  expect(readdirSync(directory)).toEqual([]);
});

test('a function of an older version, and a wiki of the same process, refuse as they did', async () => {
  const { wiki } = await openLargeWiki();
  const { watching } = watched(wiki, async ({ part_from: from }) => {
    if (from === undefined) return;
    throw new WikiError('invalid_input', {
      happened: 'What is part_from?',
      now: 'Nothing.',
      next: 'Leave it out.',
    });
  });
  const place = join(temporaryDirectory(), 'all');
  for (const isRemote of [true, false])
    await expect(exportTo(watching, place, {}, isRemote)).rejects.toMatchObject({
      code: 'too_large',
      text: { happened: expect.stringContaining('The export has') },
    });
});

test('an export that fits is one call', async () => {
  const { wiki } = await openLargeWiki({ 'A.md': 'a\n' });
  const { watching, asked } = watched(wiki);
  const place = join(temporaryDirectory(), 'all.zip');
  expect(await exportTo(watching, place, { format: 'zip' })).toMatchObject({ size: statSync(place).size });
  expect(asked).toHaveLength(1);
});
