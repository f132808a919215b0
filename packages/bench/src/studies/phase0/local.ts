import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenedWiki, openWiki } from '@pagetree/wiki';
import { callOperation } from '@pagetree/wiki/contract';
import type { Phase0Target } from './target.ts';
import { caller, FIRST_CALL, type TimedCall, wikiCalls } from './wiki-calls.ts';

/** The wiki in this process, on a folder below `directory`. */
export async function openLocalPhase0(directory: string): Promise<Phase0Target> {
  const place = await mkdtemp(join(directory, 'phase0-'));
  const host = { backend: 'bench', versions: {}, problems: [] };
  const [wikis, workDirectory] = [join(place, 'wikis'), join(place, 'work')];
  let opened: OpenedWiki | null = null;
  const call: TimedCall = async (name, input) => {
    const started = performance.now();
    let opening: number | null = null;
    if (opened === null) {
      opened = await openWiki({ directory: wikis, wiki: 'main', placement: 'local', workDirectory, host });
      opening = performance.now() - started;
    }
    const output = await callOperation(opened.wiki, name, input, { caller });
    const spent = performance.now() - started;
    const cold = opening === null ? null : { open: opening, [FIRST_CALL]: spent - opening };
    return { output, timing: { function_ms: spent, wall_ms: spent, cold } };
  };
  const { prepare, ...calls } = wikiCalls(call);
  await prepare();
  return {
    ...calls,
    forceCold: async () => {
      await opened?.close();
      opened = null;
    },
    close: async () => {
      await opened?.close();
      await rm(place, { recursive: true });
    },
  };
}
