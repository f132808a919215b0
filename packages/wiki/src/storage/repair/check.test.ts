import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { looseWiki, pageEntries } from '../../../test/storage/loose-wiki.ts';
import { openWriter } from '../../../test/storage/writers.ts';

it('a check reports each lost object once, with its path in its folder', async () => {
  const wiki = await looseWiki((blob, _, directory) => {
    const folder = git(directory, ['mktree'], `100644 blob ${blob('inner')}\tInner.md\n`);
    const entries = [
      `100644 blob ${blob('copied')}\tA.md`,
      `100644 blob ${blob('copied')}\tB.md`,
      `100644 blob ${blob('sound')}\tC.md`,
      `040000 tree ${folder}\tfolder`,
    ];
    return [entries, [...entries, `100644 blob ${blob('later')}\tLater.md`]];
  });
  const before = await check(wiki.directory);
  expect(before.problems).toEqual([]);
  wiki.lose('HEAD:A.md', 'HEAD:folder/Inner.md');
  const { objects, problems } = await check(wiki.directory);
  expect(objects).toBe(before.objects);
  expect(problems.map(({ path }) => path).sort()).toEqual(['A.md', 'folder/Inner.md']);
});

it('a check looks neither for the commit of a submodule nor for what a page only seems to name', async () => {
  const lost = '5'.repeat(40);
  const wiki = await looseWiki((blob, _, directory) => {
    const seemsToBeFolder = Buffer.concat([Buffer.from('100644 a.md\0'), Buffer.from(lost, 'hex')]);
    const page = git(directory, ['hash-object', '-w', '--stdin'], seemsToBeFolder);
    return [
      [
        `100644 blob ${blob('other')}\tOther.md`,
        `100644 blob ${page}\tPage.md`,
        `160000 commit ${lost}\tsub`,
      ],
    ];
  });
  expect((await check(wiki.directory)).problems).toEqual([]);
});

it('a check reports each object that git would refuse once, and two hundred of them at most', async () => {
  const wiki = await looseWiki((blob, _, directory) => {
    const numbers = Array.from({ length: 210 }, (_, at) => `${at}`);
    const pages = pageEntries(
      directory,
      numbers.map((text) => ({ name: `Page ${text}.md`, text })),
    );
    return [pages, [`100644 blob ${blob('0')}\tAgain.md`, ...pages]];
  });
  const refusing = {
    judge: (_: string, { type }: { type: string }) => (type === 'blob' ? 'Refused.' : null),
  };
  const { problems } = await check(wiki.directory, refusing);
  expect(problems).toHaveLength(200);
  expect(new Set(problems.map(({ text }) => text))).toEqual(new Set(['Refused.']));
  expect(new Set(problems.map(({ path }) => path)).size).toBe(200);
});

async function check(directory: string, options: Parameters<typeof openWriter>[1] = {}) {
  return (await openWriter(directory, options)).storage.check();
}
