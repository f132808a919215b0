import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { invokeWiki } from '../../../labs/lambda-lab/invoke-wiki.ts';
import { startLambdaLab } from '../../../labs/lambda-lab/lambda-lab.ts';
import { testRandom } from '../../../labs/seeded-random.ts';
import type { Call } from '../../wiki/src/contract/wiki.ts';
import { bareRepository, git, gitBytes } from '../../wiki/test/native-git.ts';
import { buildFunction, functionDirectory } from '../build.ts';

const call: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
const PAGES = 13_000;
const PAGE_CHARACTERS = 9_000;
const DOCS = join(import.meta.dirname, '../../../docs');

beforeAll(() => buildFunction());

test('a push of 60 MB of pages fits an environment of 512 MiB, which is killed if it takes more', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'wikis-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', 'main.git']);
  const lines: string[] = [];
  const lab = await startLambdaLab({
    code: functionDirectory,
    variables: { PAGETREE_DIR: directory },
    memoryMib: 512,
    // How fast this machine is does not count here.
    timeoutMs: 600_000,
    onLine: (line) => lines.push(line),
  });
  const { wiki, close } = invokeWiki(lab);
  onTestFinished(async () => {
    close();
    await lab.stop();
  });
  const { to, pack } = manyPages(testRandom());
  expect(pack.length).toBeGreaterThan(55_000_000);
  const pushed = await wiki.receive_push({ from: null, to }, { ...call, bytes: pack });
  expect(pushed).toEqual({ commit: to, changed: true });
  await wiki.wiki_status({}, call);
  expect(git(join(directory, 'main.git'), ['rev-parse', 'main'])).toBe(to);
  const memory = lines.flatMap((line) => /Max Memory Used: (\d+) MB/.exec(line)?.[1] ?? []).map(Number);
  // With room for what other calls have left behind.
  expect(Math.max(...memory)).toBeLessThan(450);
});

/** Pages of the words of our own, in any order: as compressible as text, and no two alike. */
function manyPages(random: () => number): { to: string; pack: Uint8Array } {
  const repository = bareRepository();
  const docs = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
  const words = docs.flatMap((name) => readFileSync(join(DOCS, name), 'utf8').split(/(?<=\s)/));
  const word = () => words[Math.floor(random() * words.length)] ?? '';
  const pieces = [
    Buffer.from(
      'commit refs/heads/main\ncommitter A. Writer <writer@example.org> 1700000000 +0000\ndata 2\nm\n',
    ),
  ];
  for (let at = 0; at < PAGES; at += 1) {
    let text = `# Page ${at}\n`;
    while (text.length < PAGE_CHARACTERS) text += word();
    const content = Buffer.from(text);
    const head = `M 100644 inline folder-${at % 100}/${at}.md\ndata ${content.length}\n`;
    pieces.push(Buffer.from(head), content, Buffer.from('\n'));
  }
  git(repository, ['fast-import', '--quiet'], Buffer.concat(pieces));
  const pack = gitBytes(repository, ['pack-objects', '--stdout', '--all', '-q', '--window=0']);
  return { to: git(repository, ['rev-parse', 'main']), pack };
}
