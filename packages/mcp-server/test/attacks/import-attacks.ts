import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { limits } from '@pagetree/wiki/contract';
import { BOUNDS } from '../../../wiki/src/git/received/bounds.ts';
import { zipOfStoredBlocks } from '../../../wiki/test/operations/archives.ts';
import { type Attack, call, callTool, keepsSecret, type Outcome } from './attack.ts';
import { bundleOfCommits } from './git/large-bundles.ts';
import { everyAttack } from './large-wikis/attacks-config.ts';

const LARGE = ['too_large'];
const FOLDERS = 100;
/** The folders count too. */
const FILES = limits.importFiles - FOLDERS;
/** Includes the overhead of a zip for each file. */
const PAGE_BYTES = Math.floor(limits.importBytes / FILES) - 150;

/** Each page is another part of one text, so that compressing them takes as long as for any text. */
function* mostPages(): Iterable<{ name: string; content: Buffer }> {
  let seed = 1;
  let text = '';
  while (text.length < 20 * PAGE_BYTES) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    text += `${seed.toString(36)} of the ${(seed >>> 20).toString(36)}\n`;
  }
  const pool = Buffer.from(text);
  for (let at = 0; at < FILES; at += 1) {
    const head = `# Page ${at}\n[[${(at * 7) % FILES}]]\n`;
    const from = (at * 13) % (19 * PAGE_BYTES);
    const content = Buffer.from(pool.subarray(from, from + PAGE_BYTES));
    content.write(head);
    yield { name: `${at % FOLDERS}/${at}.md`, content };
  }
}

/** Ways to fill a folder that is imported. */
const folders: Record<string, [fill: (folder: string) => Promise<void>, answers: readonly string[]]> = {
  // The zip of these pages is always tried.
  ...(everyAttack && {
    'of the most pages and bytes': [
      async (folder) => {
        for (let at = 0; at < FOLDERS; at += 1) await mkdir(join(folder, `${at}`));
        for (const { name, content } of mostPages()) await writeFile(join(folder, name), content);
      },
      ['ok'],
    ],
    'of the most links to one page': [(folder: string) => links(folder, ''), ['ok']],
  }),
  'of the most folders': [
    async (folder) => {
      const above = join(folder, 'a/b/c/d/e/f/g');
      for (let at = 0; at < limits.importFiles / 2 - 8; at += 1) {
        await mkdir(join(above, `${at}`), { recursive: true });
        await writeFile(join(above, `${at}/page.md`), `page ${at}\n`);
      }
    },
    ['ok'],
  ],
  'of one file more than the most': [(folder) => files(folder, limits.importFiles + 1), LARGE],
  'of 100,000 empty folders': [
    async (folder) => {
      for (let at = 0; at < 100_000; at += 1) await mkdir(join(folder, `${at}`));
    },
    LARGE,
  ],
  'whose files are below 150 others': [
    async (folder) => {
      const deep = join(folder, ...Array<string>(150).fill('d'));
      await mkdir(deep, { recursive: true });
      await files(deep, 2_000);
    },
    LARGE,
  ],
  'of links that lead through 150 folders': [
    async (folder) => {
      await mkdir(join(folder, ...Array<string>(150).fill('d')), { recursive: true });
      await links(folder, `${'d/'.repeat(150)}${'../'.repeat(150)}`);
    },
    LARGE,
  ],
};

async function files(folder: string, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await writeFile(join(folder, `${at}.md`), `page ${at}\n`);
}

async function links(folder: string, way: string): Promise<void> {
  await writeFile(join(folder, 'Home.md'), 'the only page\n');
  for (let at = 0; at < limits.importFiles - 1; at += 1)
    await symlink(`${way}Home.md`, join(folder, `${at}.md`));
}

/** The parts of a folder that another process keeps swapping during the import. */
const SWAPS: Record<string, string> = {
  'a file of it': 'm/5.md',
  'a folder in it': 'm',
  'the folder itself': '.',
  'what its last file is': 'z.md',
};

/**
 * Swaps a part of a folder with a link to its namesake outside, as fast as it can. Only the rename is
 * visible; there is never nothing at that place.
 */
const SWAPPER = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const [place, outside] = process.argv.slice(1);
  process.stdout.write('ready');
  for (;;) {
    renameSync(place, place + '.mine');
    symlinkSync(outside, place);
    for (const until = performance.now() + Math.random() * 3; performance.now() < until; );
    unlinkSync(place);
    renameSync(place + '.mine', place);
    for (const until = performance.now() + Math.random() * 3; performance.now() < until; );
  }`;

function changing([what, part]: [string, string]): Attack {
  return {
    name: `a folder that changes: ${what} becomes a link out and is itself again`,
    on: 'whole',
    answers: ['ok', 'invalid_input', 'invalid_path', 'not_found', 'forbidden'],
    async act({ whole, files: allowed }, round) {
      const [folder, outside] = [join(allowed, round), join(dirname(allowed), `outside-${round}`)];
      for (const [place, text] of [
        [folder, 'mine'],
        [outside, 'SECRET of the other folder'],
      ] as const) {
        for (const below of ['a', 'm', 'y']) {
          await mkdir(join(place, below), { recursive: true });
          for (let at = 0; at < 30; at += 1)
            await writeFile(join(place, `${below}/${at}.md`), `${text} ${at}\n`);
        }
        await writeFile(join(place, 'z.md'), text);
      }
      const swapper = spawn(process.execPath, ['-e', SWAPPER, join(folder, part), join(outside, part)]);
      try {
        await once(swapper.stdout, 'data');
        return await importsMeanwhile(swapper);
      } finally {
        swapper.kill('SIGKILL');
      }

      async function importsMeanwhile({ exitCode }: ChildProcess): Promise<Outcome> {
        const outcomes: Outcome[] = [];
        for (let at = 0; at < 25; at += 1) {
          const wiki = `changing-${round}-${at}`;
          const outcome = await callTool(whole, 'import_wiki', { wiki, local_path: round });
          outcomes.push(outcome);
          keepsSecret(outcome);
          if (outcome.code !== 'ok') continue;
          const found = await callTool(whole, 'search_pages', { wiki, query: 'SECRET' });
          if (found.content.total !== 0) throw new Error(`A file outside was imported: ${found.text}`);
        }
        if (exitCode !== null) throw new Error('Nothing was swapped any more.');
        return outcomes.find(({ code }) => code !== 'ok') ?? (outcomes[0] as Outcome);
      }
    },
  };
}

const git = (...args: string[]) => promisify(execFile)('git', args);

async function unpackAll(repository: string): Promise<void> {
  const packs = join(repository, 'objects/pack');
  const [name = ''] = (await readdir(packs)).filter((file) => file.endsWith('.pack'));
  const pack = await readFile(join(packs, name));
  // Git unpacks no object that it has.
  await rm(packs, { recursive: true });
  const unpacking = git('-C', repository, 'unpack-objects', '-q');
  unpacking.child.stdin?.end(pack);
  await unpacking;
}

export const importAttacks: Attack[] = [
  ...Object.entries(folders).map(([name, [fill, answers]]) =>
    call(
      `a folder ${name}`,
      'import_wiki',
      async (round, { files: allowed }) => {
        await mkdir(join(allowed, round));
        await fill(join(allowed, round));
        return { wiki: `folder-${round}`, local_path: round };
      },
      answers,
    ),
  ),
  call(
    'a zip of the most pages and bytes',
    'import_wiki',
    async (round, { files: allowed }) => {
      await writeFile(join(allowed, `${round}.zip`), zipOfStoredBlocks([...mostPages()]));
      return { wiki: `zip-${round}`, local_path: `${round}.zip` };
    },
    ['ok'],
  ),
  ...(everyAttack ? ['packed', 'all of them loose'] : ['all of them loose']).map((how) =>
    call(
      `a repository of the most objects, ${how}`,
      'import_wiki',
      async (round, { files: allowed }) => {
        const [bundle, repository] = [join(dirname(allowed), `${round}.bundle`), join(allowed, round)];
        await writeFile(bundle, bundleOfCommits(BOUNDS.objects));
        await git('init', '--quiet', '--bare', '--initial-branch=main', repository);
        // Git keeps the pack of a bundle, even if its settings say to unpack it.
        await git('-C', repository, 'fetch', '--quiet', bundle, 'main:main');
        if (how !== 'packed') await unpackAll(repository);
        return { wiki: `objects-${round}`, local_path: round };
      },
      ['ok'],
    ),
  ),
  // The tree object of the folder exceeds the cache for all folders.
  ...(everyAttack ? [8_000, 2_000] : [2_000]).map((count) =>
    call(
      `${count} files of long names into one folder`,
      'import_wiki',
      async (round, { files: allowed }) => {
        const folder = join(allowed, `flat-${round}`);
        await mkdir(folder);
        const long = 'long name '.repeat(20);
        for (let at = 0; at < count; at += 1)
          await writeFile(join(folder, `${long}${round} ${at}.md`), `${at}`);
        return { wiki: 'flat', local_path: `flat-${round}` };
      },
      ['ok'],
    ),
  ),
  ...Object.entries(SWAPS).map(changing),
];
