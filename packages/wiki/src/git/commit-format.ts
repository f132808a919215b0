import type { Oid } from '../storage/storage.ts';

/** A commit object, as far as a wiki reads it. */
export interface Commit {
  tree: Oid;
  parents: readonly Oid[];
  author: Signature;
  committer: Signature;
  /** The whole message with its trailers. */
  message: string;
}

/** Who, and when. */
export interface Signature {
  name: string;
  email: string;
  /** Seconds since 1970. */
  seconds: number;
  /** As git writes a time zone: `+0200`. */
  zone: string;
}

/** The commit that these bytes are, or null where they are none. */
export function parseCommit(content: Uint8Array): Commit | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const headers = new Headers(bytes);
  const tree = headers.take('tree');
  const parents: Oid[] = [];
  for (let parent = headers.take('parent'); parent !== null; parent = headers.take('parent')) {
    parents.push(parent);
  }
  if (tree === null || ![tree, ...parents].every((oid) => OID.test(oid))) return null;
  const author = headers.take('author') ?? '';
  const committer = headers.take('committer') ?? '';
  const { encoding, end } = headers.skipRest();
  const decode = decoderFor(encoding);
  return {
    tree,
    parents,
    author: parseSignature(decode(author)),
    committer: parseSignature(decode(committer)),
    message: decode(bytes.toString('latin1', end)),
  };
}

/** The bytes of a commit object. Names, emails and the message must have been cleaned: see commit-message.ts. */
export function serializeCommit(commit: Commit): Uint8Array {
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${signatureLine(commit.author)}`,
    `committer ${signatureLine(commit.committer)}`,
    '',
    commit.message,
  ];
  return Buffer.from(lines.join('\n'), 'utf8');
}

/**
 * Headers come in a fixed order, then any others, whose values may go on in lines that begin with a space
 * (signatures, tags that were merged). Values are binary strings until the encoding is known.
 */
class Headers {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The value of the next header where it is `name`, else null. */
  take(name: string): string | null {
    const end = this.#lineEnd();
    const line = this.#bytes.toString('latin1', this.#at, end);
    if (!line.startsWith(`${name} `)) return null;
    this.#at = end + 1;
    return line.slice(name.length + 1);
  }

  /** Passes over what is left; `end` is where the message begins. */
  skipRest(): { encoding: string | null; end: number } {
    let encoding: string | null = null;
    while (this.#at < this.#bytes.length && this.#bytes[this.#at] !== LINE_FEED) {
      const value = this.take('encoding');
      if (value === null) this.#at = this.#lineEnd() + 1;
      else encoding = value;
    }
    return { encoding, end: this.#at + 1 };
  }

  #lineEnd(): number {
    const end = this.#bytes.indexOf(LINE_FEED, this.#at);
    return end < 0 ? this.#bytes.length : end;
  }
}

/** As git reads it: the name before the first `<`, the email up to the next `>`, the date after the last `>`. */
function parseSignature(line: string): Signature {
  const open = line.indexOf('<');
  const close = line.indexOf('>', open);
  if (open < 0 || close < 0) return { name: line.trim(), email: '', seconds: 0, zone: '+0000' };
  const date = DATE.exec(line.slice(line.lastIndexOf('>') + 1));
  return {
    name: line.slice(0, open).trim(),
    email: line.slice(open + 1, close).trim(),
    seconds: Math.min(Number(date?.[1] ?? 0), LAST_SECOND),
    zone: date?.[2] ?? '+0000',
  };
}

function signatureLine({ name, email, seconds, zone }: Signature): string {
  return `${name} <${email}> ${seconds} ${zone}`;
}

/** UTF-8 unless the commit names an encoding that is known here; bytes that are none become U+FFFD. */
function decoderFor(encoding: string | null): (binary: string) => string {
  const decoder = encoding === null ? utf8 : decoderOf(encoding);
  return (binary) => (ASCII.test(binary) ? binary : decoder.decode(Buffer.from(binary, 'latin1')));
}

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding);
  } catch {
    // A RangeError: no such encoding here. What is ASCII in the text can still be read.
    return utf8;
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const LINE_FEED = 0x0a;
const OID = /^[0-9a-f]{40}$/;
const DATE = /^ *(\d+)(?: +([+-]\d{4}))?/;
/** The last second of which JavaScript can make a Date. */
const LAST_SECOND = 8_640_000_000_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII as a whole.
const ASCII = /^[\x00-\x7f]*$/;
