import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { openWiki } from '@pagetree/wiki';
import type { Call, Wiki } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { installPrograms } from '../../../labs/requirements.ts';
import { testRandom } from '../../../labs/seeded-random.ts';
import { git, temporaryDirectory } from '../../wiki/test/native-git.ts';

const program = resolve(import.meta.dirname, '../../mcp-server/src/main.ts');
const agent: Call = { caller: { author: { name: 'Bob', email: 'bob@example.org' }, agent: 'robot/1' } };

function foamDocsBundle(): string {
  const corpora = process.env.PAGETREE_CORPORA ?? resolve(import.meta.dirname, '../../../../shared/corpora');
  return join(corpora, 'foam-docs.bundle');
}

/** A mirror in a process of its own. */
class MirrorProcess {
  said = '';
  readonly process: ChildProcessByStdio<null, null, Readable>;

  constructor(wikis: string, folder: string) {
    const args = [program, 'mirror', folder, '--dir', wikis];
    const env = { ...process.env, PAGETREE_AUTHOR: 'Ada <ada@example.org>' };
    this.process = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
    this.process.stderr.on('data', (chunk) => {
      this.said += chunk;
    });
    onTestFinished(() => {
      this.process.kill('SIGKILL');
    });
  }

  async says(pattern: RegExp): Promise<void> {
    await expect.poll(() => this.said, { interval: 20 }).toMatch(pattern);
  }

  async end(signal: 'SIGKILL' | 'SIGINT'): Promise<number | null> {
    if (this.process.exitCode !== null) return this.process.exitCode;
    const ended = once(this.process, 'exit');
    this.process.kill(signal);
    const [status] = (await ended) as [number | null];
    return status;
  }
}

/** Paths and blob ids of the files of a commit, without hidden ones. */
function tree(repository: string, commit = 'HEAD'): Map<string, string> {
  const lines = git(repository, ['ls-tree', '-r', '-z', commit]).split('\0').filter(Boolean);
  const files = lines.map((line) => {
    const [facts = '', path = ''] = line.split('\t');
    return [path, facts.split(' ')[2] ?? ''] as const;
  });
  return new Map(files.filter(([path]) => !/(^|\/)\./.test(path)));
}

/** The same of a folder, in the eyes of native git. */
function filesOf(folder: string): Map<string, string> {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !/(^|\/)\./.test(path));
  const hashed = git(folder, ['hash-object', '--no-filters', '--stdin-paths'], `${paths.join('\n')}\n`);
  return new Map(paths.map((path, at) => [path, hashed.split('\n')[at] ?? '']));
}

function sorted(files: Map<string, string>) {
  return [...files].sort(([one], [other]) => (one < other ? -1 : 1));
}

async function openAgent(directory: string, name: string): Promise<Wiki> {
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: name, placement: 'local', host });
  onTestFinished(() => opened.close());
  return opened.wiki;
}

async function inStep(repository: string, folder: string): Promise<void> {
  await expect
    .poll(() => JSON.stringify(sorted(tree(repository))) === JSON.stringify(sorted(filesOf(folder))), {
      interval: 200,
    })
    .toBe(true);
}

test('foam-docs goes in as a vault, is worked on from both sides while the mirror is killed, and comes out', async () => {
  const directory = temporaryDirectory();
  const [vault, wikis, out] = ['vault', 'wikis', 'out'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  git(directory, ['clone', '--quiet', foamDocsBundle(), vault]);
  const original = tree(vault);
  fs.mkdirSync(wikis);
  git(wikis, ['init', '--quiet', '--bare', '--initial-branch=main', 'foam.git']);
  const repository = join(wikis, 'foam.git');

  let mirror = new MirrorProcess(wikis, vault);
  await mirror.says(/In step/);
  expect(sorted(tree(repository))).toEqual(sorted(original));

  const wiki = await openAgent(wikis, 'foam');
  const pages = [...original.keys()].filter((path) => path.endsWith('.md'));
  const written: string[] = [];
  const random = testRandom();
  let kills = 0;
  for (let round = 0; round < 40; round += 1) {
    const mine = pages[(round * 7) % pages.length] ?? '';
    const theirs = pages[(round * 11) % pages.length] ?? '';
    const [line, other] = [`A person wrote line ${round}.`, `A robot wrote line ${round}.`];
    fs.appendFileSync(join(vault, mine), `\n${line}\n`);
    await wiki.append_to_page({ path: theirs.slice(0, -3), content: other, create: true }, agent);
    written.push(line, other);
    if (round % 10 === 3) {
      fs.renameSync(join(vault, mine), join(vault, dirname(mine), `renamed-${round}.md`));
      pages.splice(pages.indexOf(mine), 1);
    }
    await sleep(random() * 700);
    if (random() < 0.5) continue;
    kills += 1;
    await mirror.end('SIGKILL');
    mirror = new MirrorProcess(wikis, vault);
  }
  await inStep(repository, vault);
  expect(await mirror.end('SIGINT')).toBe(0);
  const texts = [...filesOf(vault).keys()]
    .map((path) => fs.readFileSync(join(vault, path), 'latin1'))
    .join('\n');
  expect(written.filter((line) => !texts.includes(line))).toEqual([]);
  expect(git(repository, ['fsck', '--strict', '--no-dangling'])).toBe('');
  expect.soft(kills).toBeGreaterThan(0);
  process.stdout.write(
    `${kills} kills, ${[...filesOf(vault).keys()].filter((path) => path.includes('conflict')).length} conflict copies\n`,
  );

  const fresh = new MirrorProcess(wikis, out);
  await fresh.says(/In step/);
  expect(sorted(filesOf(out))).toEqual(sorted(tree(repository)));
  expect(await fresh.end('SIGINT')).toBe(0);
});

test('a full disk is reported once, and the mirror goes on when there is room', async () => {
  const directory = temporaryDirectory();
  const [vault, wikis] = ['vault', 'wikis'].map((name) => join(directory, name)) as [string, string];
  fs.mkdirSync(vault);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', vault]);
  onTestFinished(() => {
    execFileSync('umount', ['-l', vault]);
  });
  const mirror = new MirrorProcess(wikis, vault);
  await mirror.says(/In step/);
  fs.writeFileSync(join(vault, 'ballast.tmp'), Buffer.alloc(1_300_000));
  const wiki = await openAgent(wikis, 'main');
  await wiki.put_attachment({ path: 'large.bin' }, { ...agent, bytes: Buffer.alloc(1_000_000, 1) });
  await mirror.says(/The disk of .*vault is full\. Nothing is lost/);
  fs.writeFileSync(join(vault, 'Mine.md'), 'small');
  fs.unlinkSync(join(vault, 'ballast.tmp'));
  await mirror.says(/In step again/);
  await inStep(join(wikis, 'main.git'), vault);
  expect(mirror.said.match(/is full/g)).toHaveLength(1);
  expect(await mirror.end('SIGINT')).toBe(0);
  expect([...filesOf(vault).keys()].sort()).toContain('Mine.md');
});

test('a disk that keeps no capital letters is refused, as each page of the wiki would be renamed', async () => {
  await installPrograms({ mkntfs: 'ntfs-3g', 'lowntfs-3g': 'ntfs-3g' });
  const directory = temporaryDirectory();
  const [image, vault, wikis] = ['image', 'vault', 'wikis'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  fs.writeFileSync(image, '');
  fs.truncateSync(image, 64_000_000);
  execFileSync('mkntfs', ['-F', '-Q', '-q', image], { stdio: 'ignore' });
  fs.mkdirSync(vault);
  execFileSync('lowntfs-3g', ['-o', 'ignore_case', image, vault]);
  onTestFinished(() => {
    execFileSync('umount', ['-l', vault]);
  });
  fs.mkdirSync(wikis);
  const wiki = await openAgent(wikis, 'main');
  const { commit } = await wiki.append_to_page(
    { path: 'Guides/Tea', content: 'Black tea.', create: true },
    agent,
  );
  const mirror = new MirrorProcess(wikis, vault);
  await mirror.says(/changes capital letters in names/);
  expect(await mirror.end('SIGINT')).toBe(1);
  expect(git(join(wikis, 'main.git'), ['rev-parse', 'main'])).toContain(commit);
  expect(fs.readdirSync(vault)).toEqual(['.pagetree']);
});
