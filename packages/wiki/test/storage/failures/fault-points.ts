import { join } from 'node:path';
import { expect } from 'vitest';
import { nodeFileSystem } from '../../../src/storage/files/node-file-system.ts';
import { StorageError, type StorageErrorCode } from '../../../src/storage/storage-error.ts';
import { temporaryDirectory } from '../../native-git.ts';
import { countingFileSystem } from '../file-systems/counting-file-system.ts';
import { type Fault, faultyFileSystem } from '../file-systems/faulty-file-system.ts';
import { pageRequest } from '../pages.ts';
import { expectClean, expectSound } from './aftermath.ts';
import { openJudgedStates } from './judged-states.ts';
import { copyWiki, disturbed, openProcess, PAGE, type Process, REQUEST } from './processes.ts';
import type { Situation } from './situations.ts';

/** The codes that a failing file system may lead to. */
const LISTED: readonly StorageErrorCode[] = [
  'io_error',
  'out_of_space',
  'permission_denied',
  'read_only',
  'too_many_files',
  'write_state_unknown',
];

/**
 * Makes each call of a writer in the situation's wiki fail with each of these errors, and judges its answer and the
 * files that it leaves. Returns how often each answer came; 'done' means that the writer needed no failed call.
 */
export async function failAtEachCall(
  situation: Situation,
  faults: readonly Omit<Fault, 'at'>[],
): Promise<Map<string, number>> {
  const template = join(temporaryDirectory(), 'wiki.git');
  await situation.prepare(template, situation.placement);
  const directory = temporaryDirectory();
  const answers = new Map<string, number>();
  const judged = openJudgedStates();
  for (const [number, fault] of faults.entries()) {
    for (let at = 0, more = true; more; at++) {
      const wiki = join(directory, `${number}-${at}.git`);
      copyWiki(template, wiki);
      const faulty = faultyFileSystem(nodeFileSystem, { ...fault, at });
      const { fs, calls } = countingFileSystem(faulty);
      const process = disturbed(wiki, situation.placement, fs);
      const answer = await writeThroughFaults(process, fault);
      more = calls.length > at;
      if (!more) break;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
      if (!judged.isNew(wiki, process.acknowledged)) continue;
      if (!situation.isDamaged) expectClean(wiki);
      await expectSound(wiki, situation, process.acknowledged);
    }
  }
  return answers;
}

/** Writes. If that fails once, the second attempt works, in the same process too. */
async function writeThroughFaults(process: Process, { moment }: Omit<Fault, 'at'>): Promise<string> {
  const lasts = moment === 'lasting';
  let answer = 'done';
  const storage = await attempt(
    () => openProcess(process),
    lasts,
    (code) => (answer = code),
  );
  if (storage === null) return answer;
  const write = () => storage.commit(pageRequest(PAGE, 'new', REQUEST));
  const written = await attempt(write, lasts, (code) => (answer = code));
  if (written !== null) process.acknowledged.add(PAGE);
  await attempt(
    () => storage.settle(),
    lasts,
    () => undefined,
  );
  await attempt(
    () => storage.close(),
    true,
    () => undefined,
  );
  return answer;
}

/**
 * The result of the call, of the second attempt if the first failed; null if it keeps failing with a listed
 * code.
 */
async function attempt<Result>(
  call: () => Promise<Result>,
  lasts: boolean,
  answered: (code: StorageErrorCode) => void,
): Promise<Result | null> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    expect(LISTED).toContain(error.code);
    answered(error.code);
    return lasts ? null : call();
  }
}
