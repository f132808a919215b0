import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { connect } from '../../../src/contract/connect.ts';
import { dispatch } from '../../../src/contract/dispatch.ts';
import { limits } from '../../../src/contract/limits.ts';
import { blobOid } from '../../../src/core/content-hash.ts';
import { git } from '../../native-git.ts';
import { openLocal } from '../local-backends.ts';
import { type Files, TestWiki } from '../test-wiki.ts';

/** The wikis on which the cases of errors run, and what lies in them. */

/** A page with two headings of one name, and a link that leads nowhere. */
export const PAGE = '# One\n\n## Part\n\nsame same\n\n## Twice\n\n## Twice\n\n[[Gone]]\n';
/** The line of `PAGE` with its link. */
export const LINK_LINE = 11;
/** A page to which nothing can be added. */
export const FULL = '[[A]] [[Page]] '.padEnd(limits.pageBytes - 1, 'x').concat('\n');
export const FILE = 'a file that is not a page';

export const versionOf = (content: string) => blobOid(Buffer.from(content));

/** A wiki with a page and a file. */
export function usual(): Promise<TestWiki> {
  return opened({ 'Page.md': PAGE, 'Other.md': 'other\n', 'a.bin': FILE });
}

/** A wiki whose page `Full` is as large as a page may be. */
export function full(): Promise<TestWiki> {
  return opened({ 'Page.md': PAGE, 'Full.md': FULL });
}

/** A wiki on a host that takes and gives fewer bytes than its file has. */
export async function small(): Promise<TestWiki> {
  return new TestWiki(await openLocal({ 'a.bin': FILE }, (wiki) => wiki, { attachmentBytes: 10 }));
}

/** A wiki that carries out each call, and whose answers are lost on the way. */
export async function unanswered(): Promise<TestWiki> {
  const files = { 'Page.md': PAGE };
  const lost = '<html>502 Bad Gateway</html>';
  return new TestWiki(
    await openLocal(files, (wiki) => connect((request) => dispatch(wiki, request).then(() => lost))),
  );
}

/** A wiki with a folder `large`, pushed by native git, whose header states more bytes than the wiki reads. */
export async function withLargeFolder(): Promise<TestWiki> {
  const wiki = await opened({ 'Page.md': PAGE });
  const repository = await repositoryOf(wiki);
  writeLarge(repository, 'tree');
  const root = `${git(repository, ['ls-tree', 'main'])}\n040000 tree ${LARGE}\tlarge\n`;
  const tree = git(repository, ['mktree', '--missing'], root);
  const commit = git(repository, ['commit-tree', tree, '-p', 'main', '-m', 'Pushed']);
  git(repository, ['update-ref', 'refs/heads/main', commit]);
  return wiki;
}

/** A wiki whose newest commit has such a header. */
export async function withLargeCommit(): Promise<TestWiki> {
  const wiki = await opened({ 'Page.md': PAGE });
  const repository = await repositoryOf(wiki);
  writeLarge(repository, 'commit');
  writeFileSync(join(repository, 'refs', 'heads', 'main'), `${LARGE}\n`);
  return wiki;
}

/** Writes the object `LARGE`. It is a header alone, since the wiki reads nothing after it. */
function writeLarge(repository: string, type: 'tree' | 'commit'): void {
  const path = join(repository, 'objects', LARGE.slice(0, 2), LARGE.slice(2));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, deflateSync(`${type} 100000001\0`));
}

export const LARGE = 'a'.repeat(40);

/** Native git does not check this repository when the test ends: git cannot read the object `LARGE`. */
export async function opened(files: Files): Promise<TestWiki> {
  return new TestWiki(await openLocal(files, (wiki) => wiki));
}

export async function repositoryOf(wiki: TestWiki): Promise<string> {
  return (await wiki.git('rev-parse', '--absolute-git-dir')).trim();
}
