import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { connect } from '../../src/contract/connect.ts';
import { dispatch } from '../../src/contract/dispatch.ts';
import type { Wiki } from '../../src/contract/wiki.ts';
import { openWiki, type WikiOptions } from '../../src/open-wiki.ts';
import { git, temporaryDirectory } from '../native-git.ts';
import type { Backend, BackendWiki, Files } from './test-wiki.ts';

/** The wiki in this process. */
export const inProcess: Backend = { name: 'in process', open: (files) => openLocal(files, (wiki) => wiki) };

/** The same wiki, each call and answer as the JSON that would travel to another process. */
export const looped: Backend = {
  name: 'through the envelope',
  open: (files) =>
    openLocal(files, (wiki) =>
      connect(async (request, { signal }) => travelled(await dispatch(wiki, travelled(request), { signal }))),
    ),
};

/** `limits` are those of a host that takes and gives less than the wiki itself. */
export async function openLocal(
  files: Files,
  reach: (wiki: Wiki) => Wiki,
  limits: Partial<WikiOptions['host']> = {},
): Promise<BackendWiki> {
  const directory = temporaryDirectory();
  const repository = join(directory, 'test.git');
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  commitFiles(repository, files);
  const host = { backend: 'local', versions: {}, problems: [], ...limits };
  const opened = await openWiki({ directory, wiki: 'test', placement: 'local', host });
  onTestFinished(() => opened.close());
  return {
    wiki: reach(opened.wiki),
    git: (args: readonly string[]) => git(repository, args),
    settle: opened.settle,
  };
}

/** Puts the files into a bare repository as its first commit; nothing if there are none. */
export function commitFiles(repository: string, files: Files): void {
  const entries = Object.entries(files);
  if (entries.length === 0) return;
  const now = 1_700_000_000;
  const message = 'Begin\n';
  const head = `commit refs/heads/main\ncommitter Native Git <native@example.org> ${now} +0000\ndata ${message.length}\n${message}`;
  const chunks = entries.flatMap(([path, content]) => {
    const bytes = Buffer.from(content);
    return [Buffer.from(`M 100644 inline ${quoted(path)}\ndata ${bytes.length}\n`), bytes, Buffer.from('\n')];
  });
  git(repository, ['fast-import', '--quiet'], Buffer.concat([Buffer.from(head), ...chunks]));
}

/** As fast-import reads a path: C-quoted. */
export function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

function travelled(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
