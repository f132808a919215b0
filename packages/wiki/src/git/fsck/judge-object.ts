import { MAX_MESSAGE_BYTES, tooLongMessage } from '../../formats/commit.ts';
import type { JudgeObject } from '../../storage/storage.ts';
import { commitFault } from './commit-faults.ts';
import { fileFault } from './file-faults.ts';
import { tagFault } from './tag-faults.ts';
import { judgedFile, treeFault } from './tree-faults.ts';

/**
 * The reason why `git fsck --strict` would refuse an object that is already in a wiki, or why only a part of it
 * is shown.
 */
export const judgeObject: JudgeObject = (oid, { type, content }, path) => {
  const text = faultText(type, content, path);
  if (text !== null) return `Native git would refuse the ${type} ${oid}: ${text}.`;
  const messageBytes = type === 'commit' ? tooLongMessage(content) : null;
  if (messageBytes === null) return null;
  return `The commit ${oid} has a message of ${messageBytes} bytes, and at most ${MAX_MESSAGE_BYTES} are read.`;
};

function faultText(type: string, content: Uint8Array, path: string): string | null {
  if (type === 'tree') return treeFault(content, () => undefined)?.text ?? null;
  if (type === 'commit') return commitFault(content)?.text ?? null;
  if (type === 'tag') return tagFault(content)?.text ?? null;
  const file = judgedFile(path.slice(path.lastIndexOf('/') + 1));
  const found = file === null ? null : fileFault(file, content);
  return found === null ? null : `as .${file}, ${found.text}`;
}
