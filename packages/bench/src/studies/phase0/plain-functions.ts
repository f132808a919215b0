import type { LambdaClient } from '@aws-sdk/client-lambda';
import { invoke } from '../invoke.ts';
import type { Phase0Call, Phase0Target } from './target.ts';
import { FIRST_CALL } from './wiki-calls.ts';

export type PlainCalls = Omit<Phase0Target, 'forceCold' | 'close'>;

/** Phase 0 of the dulwich function, on AWS or in the Lambda lab. Makes the page that is read if it is not there. */
export async function openDulwichCalls(client: LambdaClient, functionName: string): Promise<PlainCalls> {
  const call = plainCalls(client, functionName);
  await call({ do: 'prepare' });
  return {
    initCommitReadLog: async (name) => {
      const { answer, timing } = await call({ do: 'init_commit_read_log', name });
      const parts = answer as Record<'init' | 'commit' | 'read' | 'log', number>;
      const { [FIRST_CALL]: all = 0, ...start } = timing.cold ?? {};
      const known = parts.init + parts.commit + parts.read + parts.log;
      return { ...timing, cold: { ...start, ...parts, 'rest of the call': all - known } };
    },
    read: async () => (await call({ do: 'read' })).timing,
    initAndCommit: async (name) => {
      const { answer, timing } = await call({ do: 'init_and_commit', name });
      return { ...timing, commit_ms: (answer as { commit_ms: number }).commit_ms };
    },
    commit: async (path) => (await call({ do: 'commit', path })).timing,
    landed: async (paths) => (await call({ do: 'landed', paths })).answer as string[],
  };
}

/** The empty function: each of these calls does nothing. */
export function emptyCalls(client: LambdaClient, functionName: string): PlainCalls {
  const call = plainCalls(client, functionName);
  const nothing = async () => (await call({})).timing;
  return {
    initCommitReadLog: nothing,
    read: nothing,
    initAndCommit: nothing,
    commit: nothing,
    landed: async () => [],
  };
}

function plainCalls(client: LambdaClient, functionName: string) {
  return async (event: object) => {
    const { answer, duration_ms, init_ms, wall_ms } = await invoke(client, functionName, event);
    const outside = { 'network and Lambda': wall_ms - duration_ms - (init_ms ?? 0) };
    const cold = init_ms === null ? null : { [START]: init_ms, [FIRST_CALL]: duration_ms, ...outside };
    const warm = init_ms === null ? { warm: { function: duration_ms, ...outside } } : {};
    const timing: Phase0Call = { function_ms: duration_ms + (init_ms ?? 0), wall_ms, cold, ...warm };
    return { answer, timing };
  };
}

/** The part of a cold start before the first call, of a function that does not report more. */
const START = 'start and import';
