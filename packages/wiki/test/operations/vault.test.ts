import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { AllowedFiles } from '../../src/local-files/allowed-files.ts';
import { readForImport } from '../../src/local-transfer.ts';
import { git, temporaryDirectory } from '../native-git.ts';
import { filesOf } from './archives.ts';
import { inProcess } from './local-backends.ts';
import { openTestWiki } from './test-wiki.ts';

const notes = 500;

/** A vault as Obsidian keeps it: notes in folders with every form of link, aliases, and attachments. */
function makeVault(): { directory: string; files: Map<string, Buffer>; links: number } {
  const files = new Map<string, Buffer>();
  const nameOf = (note: number) => `Note ${note % notes}${note % 7 === 0 ? ' (ü & 日本)' : ''}`;
  const placeOf = (note: number) => ['', 'Daily/', 'Projects/Deep Folder/'][note % 3] ?? '';
  let links = 0;
  for (let note = 0; note < notes; note += 1) {
    const [one, two, three] = [(note + 1) % notes, (note + 17) % notes, (note * 7 + 3) % notes];
    const up = placeOf(note) === '' ? '' : '../'.repeat(placeOf(note).split('/').length - 1);
    const forms = [
      `[[${nameOf(one)}]]`,
      `[[${placeOf(two)}${nameOf(two)}|other text]]`,
      `[[${nameOf(three)}#Heading]]`,
      `![[${nameOf(one)}#^block]]`,
      `[[Alias ${two}]]`,
      `[md](${encodeURI(`${up}${placeOf(one)}${nameOf(one)}`)
        .replaceAll('(', '%28')
        .replaceAll(')', '%29')}.md#heading)`,
      `[angle](<${up}${placeOf(three)}${nameOf(three)}.md>)`,
      `![[image-${note % 50}.png]]`,
      `![i](${up}attachments/image-${(note + 1) % 50}.png)`,
      `[reference][ref]`,
    ];
    links += forms.length;
    const text = [
      '---',
      `aliases: [Alias ${note}]`,
      'tags:',
      '  - vault # kept',
      '---',
      `# Note ${note}`,
      '',
      ...forms,
      '',
      '## Heading',
      '```md',
      '[[Not a link]]',
      '```',
      `text ^block`,
      '',
      `[ref]: <${up}${placeOf(one)}${nameOf(one)}.md>`,
      '',
    ];
    const ending = note % 5 === 0 ? '\r\n' : '\n';
    files.set(`${placeOf(note)}${nameOf(note)}.md`, Buffer.from(text.join(ending)));
  }
  for (let image = 0; image < 50; image += 1) {
    files.set(
      `attachments/image-${image}.png`,
      Buffer.from([0x89, 0x50, 0x4e, 0x47, image, 0, 0xff, 0x0d, 0x0a]),
    );
  }
  const directory = join(temporaryDirectory(), 'vault');
  for (const [path, content] of [...files, ['.obsidian/app.json', Buffer.from('{}')] as const]) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return { directory, files, links };
}

const everyFile = new AllowedFiles(null);

test('a vault of 500 notes is imported without losing a link, and exported as it was', async () => {
  const vault = makeVault();
  const wiki = await openTestWiki(inProcess);
  const content = Buffer.from(
    await readForImport(vault.directory, { mostBytes: 100_000_000, files: everyFile }),
  ).toString('base64');
  const imported = await wiki.run('import_wiki', { content });
  expect(imported).toMatchObject({ pages: notes, attachments: 50, commits: 1, changes: notes + 50 });
  expect(await wiki.git('ls-tree', '-r', '--name-only', 'main')).not.toContain('.obsidian');

  const checked = await wiki.run('check_wiki', { kinds: ['broken_link', 'orphan', 'empty'] });
  expect(checked.findings).toEqual([]);
  const { linked_from } = await wiki.run('get_links', { path: 'attachments/image-3.png' });
  expect(linked_from).toHaveLength(20);

  const exported = await wiki.run('export_wiki', {});
  const files = await filesOf(exported.content ?? '');
  expect(Object.keys(files).toSorted()).toEqual([...vault.files.keys()].toSorted());
  for (const [path, bytes] of vault.files) expect(files[path]?.equals(bytes), path).toBe(true);
});

test('links out of the folder are refused, and a repository comes with its history', async () => {
  const directory = join(temporaryDirectory(), 'folder');
  mkdirSync(join(directory, 'sub'), { recursive: true });
  writeFileSync(join(directory, 'A.md'), 'a');
  symlinkSync('../A.md', join(directory, 'sub', 'B.md'));
  const options = { mostBytes: 1_000_000, files: everyFile };
  const zip = Buffer.from(await readForImport(directory, options)).toString('base64');
  expect(Object.keys(await filesOf(zip))).toEqual(['A.md', 'sub/B.md']);

  symlinkSync('/etc/passwd', join(directory, 'C.md'));
  symlinkSync(directory, join(directory, 'sub', 'loop'));
  await expect(readForImport(directory, options)).rejects.toMatchObject({
    code: 'invalid_path',
    data: {
      problems: expect.arrayContaining([
        { path: 'C.md', reason: 'it is a link out of the folder, or to no file' },
        { path: 'sub/loop', reason: 'it is a link out of the folder, or to no file' },
      ]),
    },
  });
  await expect(
    readForImport(join(directory, 'A.md'), { mostBytes: 0, files: everyFile }),
  ).rejects.toMatchObject({
    code: 'too_large',
  });

  git(directory, ['init', '--quiet', '--initial-branch=trunk']);
  git(directory, ['add', 'A.md']);
  git(directory, ['commit', '--quiet', '-m', 'Begin']);
  git(directory, ['pack-refs', '--all']);
  const wiki = await openTestWiki(inProcess);
  const content = Buffer.from(await readForImport(directory, options)).toString('base64');
  const imported = await wiki.run('import_wiki', { wiki: 'old', content });
  expect(imported).toMatchObject({
    kind: 'history',
    commits: 1,
    commit: git(directory, ['rev-parse', 'HEAD']),
  });
});

test('a link to a file that is left out is refused, and so is a name that is not UTF-8', async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, '.settings'));
  writeFileSync(join(directory, '.settings', 'secret'), 'SECRET');
  symlinkSync('.settings/secret', join(directory, 'Page.md'));
  const read = () => readForImport(directory, { mostBytes: 1_000, files: new AllowedFiles([directory]) });
  await expect(read()).rejects.toThrow(
    /"Page\.md": it is a link to a file of another program, such as one whose/,
  );
  mkdirSync(Buffer.concat([Buffer.from(join(directory, 'a')), Buffer.from([0xff])]));
  await expect(read()).rejects.toThrow(
    /^invalid_path: The name of a file or folder is not in UTF-8: "a\ufffd"\./,
  );
});
