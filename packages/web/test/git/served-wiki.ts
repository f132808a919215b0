import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import {
  type CallInput,
  callOperation,
  type OperationName,
  type Output,
  type Wiki,
} from '@pagetree/wiki/contract';
import { onTestFinished } from 'vitest';
import { git, temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { serveSite } from '../../src/cli/serve.ts';
import { lateGit } from '../../src/git/late-git.ts';
import type { GitOptions } from '../../src/git/open-git.ts';
import { siteOf } from '../open-site.ts';
import { runGit, tryGit } from './run-git.ts';

const OWNER = { name: 'Owner', email: 'owner@example.org' };

interface ServedOptions extends Partial<GitOptions> {
  /** Stands between git and the wiki. */
  around?: (wiki: Wiki) => Wiki;
  /** True for a repository without a commit, as somebody made it by hand. */
  isEmpty?: boolean;
}

/** A new wiki over HTTP, with its pages and for git. */
export async function serveWiki({
  around = (wiki) => wiki,
  isEmpty = false,
  ...options
}: ServedOptions = {}) {
  const directory = temporaryDirectory();
  if (isEmpty) git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', 'main.git']);
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: 'main', placement: 'local', host });
  const wiki = around(opened.wiki);
  const logged: string[] = [];
  const log = (line: string) => void logged.push(line);
  const { port, close } = await serveSite({ port: 0 }, (bound) => {
    const hosts = [`127.0.0.1:${bound}`, `localhost:${bound}`];
    const common = { wiki, scope: null, hosts, log };
    const own = { ...common, author: OWNER, isReadOnly: false, token: null, version: '1.2.3', ...options };
    return siteOf(wiki, hosts[0], '', {
      ...common,
      ...(options.scope && { scope: options.scope }),
      git: lateGit(own),
      isForAgentsAlone: own.token !== null,
    });
  });
  onTestFinished(async () => {
    await close();
    await opened.close();
  });
  const run = async <Name extends OperationName>(name: Name, input: CallInput<Name>) => {
    const caller = { author: OWNER, agent: null };
    return (await callOperation(opened.wiki, name, input, { caller })) as Output<Name>;
  };
  const place = temporaryDirectory();
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    port,
    /** The address of the wiki for git. */
    url: `${origin}/main.git`,
    bare: join(directory, 'main.git'),
    /** A directory for clones. */
    place,
    logged,
    run,
    write: async (path: string, content: string) => {
      const page = await run('view_page', { path }).catch(() => null);
      const version = page?.page?.version;
      await run('write_page', { path, content, ...(version && { version }) });
    },
    /** Clones with arguments into a directory of this name, and returns its path. */
    async clone(name: string, args: readonly string[] = [], config: readonly string[] = []): Promise<string> {
      const settings = config.flatMap((each) => ['-c', each]);
      await runGit(place, [...settings, 'clone', '--quiet', ...args, `${origin}/main.git`, name]);
      return join(place, name);
    },
    tryGit: (args: readonly string[], env?: Record<string, string>) => tryGit(place, args, env),
  };
}

/** Every object of a repository, by oid and type. */
export async function objectsOf(repository: string): Promise<string[]> {
  const listed = await runGit(repository, ['cat-file', '--batch-all-objects', '--batch-check']);
  return listed === '' ? [] : listed.split('\n');
}
