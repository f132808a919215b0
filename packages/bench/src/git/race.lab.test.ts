import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { runClient } from '../http/http-client.ts';
import { servePagetree } from '../web/served.ts';
import { pageOf, pushLines } from './pushing-client.ts';

const SHARED_PAGES = 4;

test('of agents that write and people who push at once, each acknowledged change is in the head once', async ({
  annotate,
}) => {
  const directory = await mkdtemp(join(tmpdir(), 'pagetree-race-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const wikis = join(directory, 'wikis');
  const main = begin(wikis);
  const served = await servePagetree(wikis);
  const endsAt = Date.now() + sampled(120_000, 8_000);
  const url = `${served.origin}/main.git`;
  try {
    const [agents, people] = await Promise.all([
      Promise.all([0, 1, 2, 3, 4].map((at) => runClient(`${served.origin}/mcp`, at, SHARED_PAGES, endsAt))),
      Promise.all([0, 1, 2].map((at) => pushLines(url, join(directory, `clone-${at}`), at, endsAt))),
    ]);
    const acknowledged = agents.flatMap((agent) => agent.acknowledged);
    const accepted = people.flatMap((person) => person.accepted);
    const rejected = people.reduce((sum, person) => sum + person.rejected, 0);
    await annotate(
      `${acknowledged.length} acknowledged writes, ${accepted.length} accepted pushes, ${rejected} rejected.`,
    );
    expect(acknowledged.filter((line) => countIn(main, ...pathAndLine(line)) !== 1)).toEqual([]);
    for (const [at, { accepted: lines }] of people.entries()) {
      expect(git(main, ['show', `main:${pageOf(at)}`]).split('\n')).toEqual(lines);
    }
    expect(agents.flatMap(({ errors }) => errors)).toEqual([]);
    git(main, ['fsck', '--strict']);
  } finally {
    await served.stop();
  }
});

/** A wiki with the pages that the agents append to. */
function begin(wikis: string): string {
  git(tmpdir(), ['init', '--quiet', '--bare', '--initial-branch=main', join(wikis, 'main.git')]);
  const main = join(wikis, 'main.git');
  const pages = Array.from(
    { length: SHARED_PAGES },
    (_, at) => `M 100644 inline Shared/${at}.md\ndata 4\n# P\n\n`,
  );
  git(
    main,
    ['fast-import', '--quiet'],
    `commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\ndata 5\nBegin\n${pages.join('')}`,
  );
  return main;
}

/** As the client notes a write: its page, and its line. */
function pathAndLine(noted: string): [string, string] {
  const [path = '', line = ''] = noted.split('\t');
  return [`${path}.md`, line];
}

const contents = new Map<string, string[]>();

function countIn(main: string, path: string, line: string): number {
  const lines = contents.get(path) ?? git(main, ['show', `main:${path}`]).split('\n');
  contents.set(path, lines);
  return lines.filter((each) => each === line).length;
}
