import { pktLine } from '@pagetree/wiki/pkt-line';
import { gitAnswer } from '../advertise.ts';
import { wordsOf } from '../refusal.ts';

/** The answer to a fetch that failed before its pack: git shows the words. */
export function errorAnswer(error: unknown): Response {
  return gitAnswer('git-upload-pack-result', errorLine(wordsOf(error)));
}

/** The line with which git ends. */
export function errorLine(sentence: string): Buffer {
  return pktLine(`ERR ${sentence}`);
}
