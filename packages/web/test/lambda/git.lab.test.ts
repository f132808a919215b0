import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { KnownPeople } from '../../src/clients/known-people.ts';
import { PersonalTokens } from '../../src/clients/personal-tokens.ts';
import { runGit, tryGit } from '../git/run-git.ts';
import { startWebLab, type WebLab } from './start-web-lab.ts';

const ISSUER = 'https://issuer.invalid';
const PAGES = 300;
const COMMITS = 40;

let directory: string;
let lab: WebLab;
let secret: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'git-lambda-'));
  begin();
  lab = await startWebLab({ directory: join(directory, 'wikis') });
  const people = new KnownPeople(lab.aws.records, ISSUER, Date.now);
  const ada = { issuer: ISSUER, subject: 'ada', email: 'ada@example.org', name: 'Ada', groups: [] };
  await people.remember(ada);
  const tokens = new PersonalTokens(lab.aws.records, people, Date.now);
  const untilMs = Date.now() + 3_600_000;
  const made = await tokens.make(ada, { name: 'git', given: { may: 'write', wikis: null }, untilMs });
  secret = made?.secret ?? '';
});

afterAll(async () => {
  await lab?.stop();
  rmSync(directory, { recursive: true });
});

const main = () => join(directory, 'wikis', 'main.git');

/** A wiki whose pack has more than an answer of a function may have. */
function begin(): void {
  const wikis = join(directory, 'wikis');
  git(tmpdir(), ['init', '--quiet', '--bare', '--initial-branch=main', join(wikis, 'main.git')]);
  const commits = Array.from({ length: COMMITS }, (_, at) => {
    const changed = at === 0 ? Array.from({ length: PAGES }, (_, page) => page) : [at];
    const files = changed.map((page) => {
      const text = `# Page ${page}\n\nVersion ${at}: ${noise(12_000).toString('base64')}\n`;
      return `M 100644 inline notes/${page}.md\ndata ${text.length}\n${text}\n`;
    });
    return `commit refs/heads/main\ncommitter A <a@example.org> ${1_700_000_000 + at} +0000\ndata 1\nc\n${files.join('')}`;
  });
  const large = noise(9_000_000);
  const file = Buffer.concat([
    Buffer.from(
      `commit refs/heads/main\ncommitter A <a@example.org> 1700001000 +0000\ndata 1\nf\nM 100644 inline big.bin\ndata ${large.length}\n`,
    ),
    large,
    Buffer.from('\n'),
  ]);
  git(
    join(wikis, 'main.git'),
    ['fast-import', '--quiet'],
    Buffer.concat([Buffer.from(commits.join('')), file]),
  );
}

/** The Function URL may rename the header that makes git ask for a password, so git sends the token at once. */
function as(...args: string[]) {
  return ['-c', `http.extraHeader=Authorization: Bearer ${secret}`, ...args];
}

const url = () => `${lab.origin}/main.git`;

describe('through two functions native git', () => {
  test('clones more than one answer may have, in full, shallow and without blobs', async () => {
    await runGit(directory, as('clone', '--quiet', url(), 'full'));
    const [copy, tip] = [join(directory, 'full'), git(main(), ['rev-parse', 'main'])];
    git(copy, ['fsck', '--strict']);
    const objects = ['rev-list', '--objects', '--no-object-names', tip];
    expect(git(copy, objects).split('\n').sort()).toEqual(git(main(), objects).split('\n').sort());
    await runGit(directory, as('clone', '--quiet', '--depth', '1', url(), 'shallow'));
    expect(git(join(directory, 'shallow'), ['rev-list', '--count', 'HEAD'])).toBe('1');
    await runGit(directory, as('clone', '--quiet', '--filter=blob:none', '--no-checkout', url(), 'partial'));
    expect(git(join(directory, 'partial'), ['rev-list', '--count', 'HEAD'])).toBe(`${COMMITS + 1}`);
  });

  test('pushes, fetches, and is turned away if it lost the race', async () => {
    for (const name of ['one', 'two']) await runGit(directory, as('clone', '--quiet', url(), name));
    const [one, two] = ['one', 'two'].map((name) => join(directory, name)) as [string, string];
    const commit = (clone: string, path: string, text: string) => {
      appendFileSync(join(clone, path), text);
      git(clone, ['add', '--all']);
      git(clone, ['commit', '--quiet', '-m', text]);
    };
    commit(one, 'notes/0.md', 'from one');
    commit(two, 'Two.md', 'from two');
    await runGit(one, as('push', '--quiet', 'origin', 'main'));
    const lost = await tryGit(two, as('push', 'origin', 'main'));
    expect([lost.status, lost.stderr]).toEqual([1, expect.stringContaining('(fetch first)')]);
    await runGit(two, as('pull', '--quiet', '--rebase'));
    await runGit(two, as('push', '--quiet', 'origin', 'main'));
    await runGit(one, as('fetch', '--quiet'));
    expect(git(one, ['log', '--format=%s', '-2', 'origin/main']).split('\n')).toEqual([
      'from two',
      'from one',
    ]);
    // Another environment, which knows nothing of the push, shows the page.
    await lab.wiki.recycle();
    const page = await fetch(`${lab.origin}/main/Two`, {
      headers: { cookie: await lab.cookieOf(), accept: 'text/html' },
    });
    expect(await page.text()).toContain('from two');
    git(main(), ['fsck', '--strict']);
  });

  test('cannot push more than a request of a function may have, and nothing of it is taken', async () => {
    await runGit(directory, as('clone', '--quiet', url(), 'large'));
    const clone = join(directory, 'large');
    writeFileSync(join(clone, 'large.bin'), noise(8_000_000));
    git(clone, ['add', '--all']);
    git(clone, ['commit', '--quiet', '-m', 'large']);
    const refused = await tryGit(clone, as('push', 'origin', 'main'));
    expect(refused.status).not.toBe(0);
    // The ref in the repository may lag: a function that has answered is frozen.
    const { stdout } = await tryGit(clone, as('ls-remote', 'origin', 'refs/heads/main'));
    expect(stdout.split('\t')[0]).toBe(git(clone, ['rev-parse', 'HEAD~1']));
    git(main(), ['fsck', '--strict']);
  });
});
