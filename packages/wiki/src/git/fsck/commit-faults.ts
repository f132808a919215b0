import { isOid } from '../../formats/oid.ts';
import { type Fault, fault } from './fault.ts';
import { headersFault, identityFault, LINE_FEED } from './header-lines.ts';

/** The first fault that `git fsck --strict` finds in the bytes of a commit, or null. */
export function commitFault(content: Uint8Array): Fault | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const found = headersFault(bytes);
  if (found !== null) return found;
  const lines = new HeaderLines(bytes);

  const tree = lines.take('tree');
  if (tree === null) return fault('missingTree', 'its first line names no tree');
  if (!isOid(tree)) return fault('badTreeSha1', 'the name of its tree is not 40 hexadecimal digits');
  for (let parent = lines.take('parent'); parent !== null; parent = lines.take('parent')) {
    if (!isOid(parent)) {
      return fault('badParentSha1', 'the name of a parent is not 40 hexadecimal digits');
    }
  }
  const author = lines.take('author');
  if (author === null) return fault('missingAuthor', 'it has no author');
  const authorFault = identityFault(author, 'author');
  if (authorFault !== null) return authorFault;
  if (lines.take('author') !== null) return fault('multipleAuthors', 'it has more than one author');
  const committer = lines.take('committer');
  if (committer === null) return fault('missingCommitter', 'it has no committer');
  const committerFault = identityFault(committer, 'committer');
  if (committerFault !== null) return committerFault;
  if (bytes.includes(0)) return fault('nulInCommit', 'its message holds a NUL byte');
  // Git ignores these lines, but another reader may not.
  const isMisplaced = ['tree', 'parent', 'author', 'committer'].some((name) => lines.includes(name));
  return isMisplaced ? fault('misplacedHeader', 'it has one of its first headers twice') : null;
}

/** Taken one by one, since a pushed commit may have millions of them. */
class HeaderLines {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    const end = bytes.indexOf('\n\n');
    this.#bytes = end < 0 ? bytes : bytes.subarray(0, end + 1);
  }

  /** The value of the next line if it begins with `name`, else null. */
  take(name: string): string | null {
    const begin = this.#at + name.length + 1;
    if (this.#bytes.toString('latin1', this.#at, begin) !== `${name} `) return null;
    const feed = this.#bytes.indexOf(LINE_FEED, begin);
    const end = feed < 0 ? this.#bytes.length : feed;
    this.#at = end + 1;
    return this.#bytes.toString('latin1', begin, end);
  }

  /** True if a line further on begins with `name`. The line before it was taken. */
  includes(name: string): boolean {
    return this.#bytes.subarray(this.#at - 1).includes(`\n${name} `);
  }
}
