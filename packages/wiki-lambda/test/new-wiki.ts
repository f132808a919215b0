import { openWiki } from '@pagetree/wiki';
import type { Wiki } from '@pagetree/wiki/contract';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../wiki/test/native-git.ts';

/** An empty shared wiki, as the function opens it. */
export async function newWiki(): Promise<Wiki> {
  const directory = temporaryDirectory();
  const host = { backend: 'lambda', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: null, placement: 'shared', host });
  onTestFinished(close);
  return wiki;
}
