import type { Phase0System } from '../../studies/phase0/collect.ts';
import { emptyCalls, openDulwichCalls, type PlainCalls } from '../../studies/phase0/plain-functions.ts';
import type { Phase0Target } from '../../studies/phase0/target.ts';
import { type Aws, attempt } from '../aws.ts';
import { FUNCTIONS, STACK } from '../stack/names.ts';
import { findStack } from '../stacks.ts';
import { forceColdStart } from './force-cold-start.ts';

/** dulwich and the empty function of the studies' stack, beside the wiki's own. None if that stack is not there. */
export async function systemsBeside(open: () => Promise<Aws>): Promise<Phase0System[]> {
  const aws = await open();
  try {
    if ((await findStack(aws, STACK)) === null) return [];
  } finally {
    aws.close();
  }
  return [
    { name: 'dulwich', open: async () => openDulwichOnAws(await open()) },
    { name: 'empty', open: async () => openEmptyOnAws(await open()), kinds: ['cold', 'read'] },
  ];
}

export async function openDulwichOnAws(aws: Aws): Promise<Phase0Target> {
  const name = FUNCTIONS.dulwich;
  const calls = await attempt(`call the function ${name}`, () => openDulwichCalls(aws.lambda, name));
  return targetOf(aws, name, calls);
}

async function openEmptyOnAws(aws: Aws): Promise<Phase0Target> {
  return targetOf(aws, FUNCTIONS.empty, emptyCalls(aws.lambda, FUNCTIONS.empty));
}

function targetOf(aws: Aws, name: string, calls: PlainCalls): Phase0Target {
  const explained = <T>(run: () => Promise<T>) => attempt(`call the function ${name}`, run);
  return {
    initCommitReadLog: (repository) => explained(() => calls.initCommitReadLog(repository)),
    read: () => explained(() => calls.read()),
    initAndCommit: (repository) => explained(() => calls.initAndCommit(repository)),
    commit: (path) => explained(() => calls.commit(path)),
    landed: (paths) => explained(() => calls.landed(paths)),
    forceCold: () => forceColdStart(aws, name),
    close: async () => aws.close(),
  };
}
