import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ObjectHeap } from '../../../../wiki/test/git-input/bundles.ts';
import { git } from '../../git.ts';
import { type Attack, callTool, shown } from '../attack.ts';

type Entry = readonly [mode: string, name: string, content?: string];

const utf8 = (name: string) => Buffer.from(name).toString('latin1');

/** Trees that git itself refuses. Entries are in git's order unless their order is the attack. */
const REFUSED: Record<string, Entry[]> = {
  ...Object.fromEntries(
    [
      '.git',
      '.GIT',
      '.gIt',
      'git~1',
      'GIT~1',
      '.git ',
      '.git.',
      '.git...',
      '.git\u200c',
      '.g\u200dit',
      '.gi\ufefft',
      '.git::$INDEX_ALLOCATION',
      '.',
      '..',
      'a/b',
      '',
    ].map((name) => [`a folder ${shown(name)}`, [['40000', utf8(name)] as Entry]]),
  ),
  'a file .git': [['100644', '.git', 'gitdir: /etc']],
  'a link .git': [['120000', '.git', '/etc']],
  'a submodule .git': [['160000', '.git']],
  'a link .gitmodules': [['120000', '.gitmodules', '/etc/passwd']],
  'a link gitmod~1': [['120000', 'gitmod~1', '/etc/passwd']],
  'a folder .gitmodules': [['40000', '.gitmodules']],
  'submodules that run a command': [
    ['100644', '.gitmodules', '[submodule "a"]\n\tpath = a\n\turl = ../a\n\tupdate = !touch x\n'],
  ],
  'submodules with an option for an address': [
    ['100644', '.gitmodules', '[submodule "a"]\n\tpath = a\n\turl = -u./payload\n'],
  ],
  'submodules with an option for a path': [
    ['100644', '.gitmodules', '[submodule "a"]\n\tpath = -x\n\turl = ../a\n'],
  ],
  'a submodule of the name ..': [
    ['100644', '.gitmodules', '[submodule "../../x"]\n\tpath = a\n\turl = ../a\n'],
  ],
  'attributes of an endless line': [['100644', '.gitattributes', `${'a'.repeat(5_000)}\n`]],
  'two of one name': [
    ['100644', 'a.md', 'x'],
    ['100644', 'a.md', 'y'],
  ],
  'a file and a folder of one name': [
    ['100644', 'a', 'x'],
    ['40000', 'a'],
  ],
  'names out of order': [
    ['100644', 'b.md', 'x'],
    ['100644', 'a.md', 'x'],
  ],
  'a mode with a zero before it': [['0100644', 'a.md', 'x']],
  'a mode of a device': [['20000', 'a.md', 'x']],
  'a mode of nothing': [['0', 'a.md', 'x']],
  'a folder written as 040000': [['040000', 'a']],
};

/** Trees that git accepts, and that a wiki must handle. */
const TAKEN: Record<string, Entry[]> = {
  'bytes that are no UTF-8': [['100644', '\xff\xfe.md', 'x']],
  'a name that turns text around': [['100644', utf8('\u202etxt.md'), 'x']],
  'names that differ in case': [
    ['100644', 'HOME.md', 'x'],
    ['100644', 'home.md', 'x'],
  ],
  'names that differ in the form of Unicode': [
    ['100644', utf8('Cafe\u0301.md'), 'x'],
    ['100644', utf8('Caf\u00e9.md'), 'x'],
  ],
  'a link to /etc/passwd that is called a page': [['120000', 'a.md', '/etc/passwd']],
  'a submodule that is called a page': [['160000', 'a.md']],
  'a name with a line break': [['100644', 'a\n- [x](y).md', 'x']],
  'a device of Windows': [['100644', 'CON.md', 'x']],
  'settings of other programs': [['40000', '.claude']],
  'a page that is executable': [['100755', 'a.md', '#!/bin/sh\n']],
};

function repositoryOf(entries: readonly Entry[]): { heap: ObjectHeap; tip: string } {
  const heap = new ObjectHeap();
  const inner = heap.tree([['100644', 'config', heap.add('blob', '[core]\n\tfsmonitor = "touch ran"\n')]]);
  const tree = heap.tree(
    entries.map(([mode, name, content = '']) => {
      if (/^0?40000$/.test(mode)) return [mode, name, inner];
      return [mode, name, mode === '160000' ? 'c'.repeat(40) : heap.add('blob', content)];
    }),
  );
  return { heap, tip: heap.commit(tree) };
}

function attacksOf(title: string, entries: Entry[], isRefused: boolean): Attack[] {
  return [
    {
      name: `imported: ${title}`,
      on: 'whole',
      answers: [isRefused ? 'invalid_input' : 'ok'],
      async act({ whole, files }, round) {
        const { heap, tip } = repositoryOf(entries);
        const wiki = `tree-${round}`;
        await writeFile(join(files, `${wiki}.bundle`), heap.bundle(tip));
        const outcome = await callTool(whole, 'import_wiki', { wiki, local_path: `${wiki}.bundle` });
        if (outcome.code === 'ok') await callTool(whole, 'list_pages', { wiki });
        return outcome;
      },
    },
    {
      name: `pushed: ${title}`,
      on: 'whole',
      // Git only warns of an unknown mode.
      answers: [isRefused ? 'refused by git' : 'ok', ...(title === 'a mode of a device' ? ['ok'] : [])],
      async act({ whole, wikis, files }, round) {
        const { heap, tip } = repositoryOf(entries);
        const wiki = `push-${round}`;
        await callTool(whole, 'create_wiki', { wiki });
        const bundle = join(files, `${wiki}.bundle`);
        await writeFile(bundle, heap.bundle(tip));
        const repository = join(files, `${wiki}.git`);
        await git(files, 'init', '--quiet', '--bare', repository);
        // Without the check: the content reaches the wiki unchanged, if git can store it at all.
        const held = await git(
          repository,
          '-c',
          'fetch.fsckObjects=false',
          'fetch',
          '--quiet',
          bundle,
          'main:refs/heads/pushed',
        ).then(
          () => null,
          (error: Error) => error.message,
        );
        if (held !== null) return { code: 'refused by git', text: held, content: {} };
        const pushed = await git(
          repository,
          'push',
          '--quiet',
          join(wikis, `${wiki}.git`),
          'pushed:refs/heads/pushed',
        ).then(
          () => null,
          (error: Error) => error.message,
        );
        const read = await callTool(whole, 'read_page', { wiki, path: 'Home' });
        if (read.code !== 'ok') return read;
        return pushed === null ? read : { code: 'refused by git', text: pushed, content: {} };
      },
    },
  ];
}

export const treeAttacks: Attack[] = [
  ...Object.entries(REFUSED).flatMap(([title, entries]) => attacksOf(title, entries, true)),
  ...Object.entries(TAKEN).flatMap(([title, entries]) => attacksOf(title, entries, false)),
];
