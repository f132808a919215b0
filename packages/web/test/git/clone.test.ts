import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { runGit } from './run-git.ts';
import { objectsOf, serveWiki } from './served-wiki.ts';

/*
 * These cases of git's own t5551-http-fetch-smart.sh apply here, 16 of about 50: clone, fetch after a change, the services that are used, a
 * password (asked for, given, refused), a type of content that is wrong, a namespace-less HEAD, 2,000 tags, a request in chunks,
 * an object by its oid (reachable, unreachable), refs after a fetch in version 0, a fetch without its tags, the fall back from version 2
 * to 0, an empty repository. The others are about Apache, redirects, cookies, traces and settings of the server.
 */
const VERSIONS = [0, 1, 2];

async function wikiWithPages() {
  const served = await serveWiki();
  await served.write('Home', '# Home\n\nWelcome.\n');
  await served.write('Notes/Tea', `${'Green tea.\n'.repeat(2_000)}`);
  for (let at = 0; at < 12; at += 1)
    await served.write('Notes/Tea', `${'Green tea.\n'.repeat(2_000)}${at}\n`);
  return served;
}

describe.each(VERSIONS)('version %d of the protocol', (version) => {
  const config = [`protocol.version=${version}`];
  const at = (directory: string, ...args: string[]) =>
    runGit(directory, ['-c', config[0] as string, ...args]);

  test('a clone has the objects of a clone of the repository itself, and git finds no fault', async () => {
    const { clone, bare, place } = await wikiWithPages();
    const copy = await clone('copy', [], config);
    await runGit(place, ['clone', '--quiet', '--no-local', bare, 'plain']);
    expect(await objectsOf(copy)).toEqual(await objectsOf(join(place, 'plain')));
    expect(await runGit(copy, ['fsck', '--strict'])).toBe('');
    expect(await runGit(copy, ['status', '--short', '--branch'])).toBe('## main...origin/main');
    expect(readFileSync(join(copy, 'Notes/Tea.md'), 'utf8')).toContain('tea.\n11\n');
  });

  test('a fetch brings what was written since, and then nothing', async () => {
    const { clone, write, bare } = await wikiWithPages();
    const copy = await clone('copy', [], config);
    const before = await objectsOf(copy);
    for (let page = 0; page < 40; page += 1) await write(`New/${page}`, `text ${page}\n`);
    await at(copy, 'pull', '--quiet');
    expect(await runGit(copy, ['rev-parse', 'HEAD'])).toBe(git(bare, ['rev-parse', 'main']));
    expect(await runGit(copy, ['fsck', '--strict'])).toBe('');
    const after = await objectsOf(copy);
    expect(after.length).toBeGreaterThan(before.length + 100);
    await at(copy, 'fetch', '--quiet');
    expect(await objectsOf(copy)).toEqual(after);
  });

  test('a fetch into a repository with commits of its own finds what both have', async () => {
    const { clone, write } = await wikiWithPages();
    const copy = await clone('copy', [], config);
    for (let commit = 0; commit < 100; commit += 1)
      await runGit(copy, ['commit', '--quiet', '--allow-empty', '--message', `own ${commit}`]);
    await write('Other', 'by somebody else\n');
    await at(copy, 'fetch', '--quiet');
    const packed = await runGit(copy, ['rev-list', '--objects', '--count', 'origin/main', '^HEAD']);
    expect(Number(packed)).toBe(3);
    expect(await runGit(copy, ['fsck', '--strict'])).toBe('');
  });

  test('a shallow clone is deepened, and becomes a whole one', async () => {
    const { clone, bare, write } = await wikiWithPages();
    const copy = await clone('copy', ['--depth', '1'], config);
    const count = () => runGit(copy, ['rev-list', '--count', 'HEAD']);
    expect(await count()).toBe('1');
    await at(copy, 'fetch', '--quiet', '--depth', '3');
    expect(await count()).toBe('3');
    await at(copy, 'fetch', '--quiet', '--deepen', '2');
    expect(await count()).toBe('5');
    await write('Later', 'later\n');
    await at(copy, 'pull', '--quiet');
    expect(await count()).toBe('6');
    expect(await runGit(copy, ['fsck', '--strict'])).toBe('');
    await at(copy, 'fetch', '--quiet', '--unshallow');
    expect(await count()).toBe(git(bare, ['rev-list', '--count', 'main']));
    expect(await runGit(copy, ['fsck', '--strict'])).toBe('');
    expect(await runGit(copy, ['rev-parse', '--is-shallow-repository'])).toBe('false');
  });

  test('a partial clone gets blobs when it needs them', async () => {
    const { clone } = await wikiWithPages();
    const copy = await clone('copy', ['--filter=blob:none', '--no-checkout'], config);
    expect((await objectsOf(copy)).filter((line) => line.includes(' blob '))).toEqual([]);
    await at(copy, 'checkout', '--quiet', 'main');
    expect(readFileSync(join(copy, 'Home.md'), 'utf8')).toBe('# Home\n\nWelcome.\n');
    const files = (await runGit(copy, ['ls-files'])).split('\n');
    expect((await objectsOf(copy)).filter((line) => line.includes(' blob '))).toHaveLength(files.length);
    expect(await at(copy, 'log', '--oneline', '--patch', 'Notes/Tea.md')).toContain('+11');
  });

  test('tags come along, and are listed with what they name', async () => {
    const { clone, bare, url, place, write } = await wikiWithPages();
    git(bare, ['tag', 'light', 'main~2']);
    git(bare, ['tag', '--annotate', '--message', 'the first', 'v1', 'main~3']);
    const copy = await clone('copy', [], config);
    expect(await runGit(copy, ['tag'])).toBe('light\nv1');
    git(bare, ['tag', '--annotate', '--message', 'the next', 'v2', 'main']);
    await write('Later', 'later\n');
    await at(copy, 'fetch', '--quiet');
    expect(await runGit(copy, ['cat-file', '-t', 'v2'])).toBe('tag');
    expect(await runGit(copy, ['fsck', '--strict'])).toBe('');
    const own = await at(place, 'ls-remote', bare);
    expect(await at(place, 'ls-remote', url)).toBe(own);
    expect(own).toContain('refs/tags/v1^{}');
    expect(await at(place, 'ls-remote', '--symref', url, 'HEAD')).toContain('ref: refs/heads/main\tHEAD');
  });

  test('an empty wiki is cloned, and filled later', async () => {
    const { clone, write } = await serveWiki({ isEmpty: true });
    const copy = await clone('copy', [], config);
    expect(await objectsOf(copy)).toEqual([]);
    if (version === 2) expect(await runGit(copy, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main');
    await write('Home', 'first\n');
    await at(copy, 'pull', '--quiet', 'origin', 'main');
    expect(readFileSync(join(copy, 'Home.md'), 'utf8')).toBe('first\n');
  });

  test('a commit is fetched by its id, and one that is not there is refused by words', async () => {
    const { bare, url, place, tryGit } = await wikiWithPages();
    await runGit(place, ['init', '--quiet', 'new']);
    const directory = join(place, 'new');
    const commit = git(bare, ['rev-parse', 'main~4']);
    await at(directory, 'fetch', '--quiet', url, commit);
    expect(await runGit(directory, ['rev-parse', 'FETCH_HEAD'])).toBe(commit);
    const missing = await tryGit(['-C', 'new', '-c', config[0] as string, 'fetch', url, 'e'.repeat(40)]);
    expect(missing.status).not.toBe(0);
    expect(missing.stderr).toContain(`The wiki has no object ${'e'.repeat(40)}.`);
  });
});

test('a request for 2,000 tags comes in chunks, and is inflated', async () => {
  const { bare, clone, write } = await serveWiki();
  await write('Home', 'home\n');
  const commit = git(bare, ['rev-parse', 'main']);
  const marks = Array.from({ length: 2_000 }, (_, at) => `create refs/tags/a-long-name-${at} ${commit}\n`);
  git(bare, ['update-ref', '--stdin'], marks.join(''));
  for (const version of VERSIONS) {
    const copy = await clone(`v${version}`, [], [`protocol.version=${version}`, 'http.postBuffer=65536']);
    expect((await runGit(copy, ['tag'])).split('\n')).toHaveLength(2_000);
  }
});

test('a fetch finds which of its commits are here, and takes nothing', async () => {
  const { clone, bare, write } = await wikiWithPages();
  const copy = await clone('copy');
  await runGit(copy, ['commit', '--quiet', '--allow-empty', '--message', 'own']);
  await write('Later', 'later\n');
  const known = await runGit(copy, ['fetch', '--negotiate-only', '--negotiation-tip=HEAD', 'origin']);
  expect(known.split('\n').sort()).toEqual(git(bare, ['rev-list', 'main~1']).split('\n').sort());
});

test('a clone is cut at a time', async () => {
  const { clone, bare } = await wikiWithPages();
  const count = async (copy: string) => runGit(copy, ['rev-list', '--count', 'HEAD']);
  for (const version of VERSIONS) {
    const config = [`protocol.version=${version}`];
    const copy = await clone(`v${version}`, ['--shallow-since=2020-01-01'], config);
    expect(await count(copy)).toBe(git(bare, ['rev-list', '--count', 'main']));
  }
});

test('what is not supported is refused by words', async () => {
  const { url, tryGit, bare } = await wikiWithPages();
  git(bare, ['tag', 'old', 'main~3']);
  const excluded = await tryGit(['clone', '--shallow-exclude=old', url, 'one']);
  expect(excluded.stderr).toMatch(/--shallow-exclude\) is not supported here/);
  const filtered = await tryGit(['clone', '--filter=tree:2', url, 'two']);
  expect(filtered.stderr).toContain('The filter "tree:2" is not supported.');
});
