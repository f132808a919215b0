import { isOid, type Oid } from './oid.ts';

/** The parts of a commit object that a wiki uses. */
export interface Commit {
  tree: Oid;
  parents: readonly Oid[];
  author: Signature;
  committer: Signature;
  /** The message, including its trailers. The middle of a message above MAX_MESSAGE_BYTES is left out. */
  message: string;
}

/** A commit as far as its bytes can be parsed: a check goes on past a commit that git would refuse. */
export type ParsedCommit =
  | (Commit & { missing: null })
  /** The tree or a parent is missing, or is not a valid oid. Invalid parents are left out. */
  | (Omit<Commit, 'tree'> & { tree: Oid | null; missing: 'tree' | 'parent' });

/** A name with a date. */
export interface Signature {
  name: string;
  email: string;
  /** Seconds since 1970. */
  seconds: number;
  /** A time zone in git's notation: `+0200`. */
  zone: string;
}

/**
 * Parses a commit as far as possible. Throws nothing. Git stores headers and messages of any size, so only a
 * bounded part of each becomes a string.
 */
export function parseCommit(content: Uint8Array): ParsedCommit {
  const bytes = bufferOf(content);
  const headers = new Headers(bytes);
  const tree = headers.take('tree');
  const named: string[] = [];
  for (let parent = headers.take('parent'); parent !== null; parent = headers.take('parent')) {
    named.push(parent);
  }
  const author = headers.take('author') ?? '';
  const committer = headers.take('committer') ?? '';
  const decode = decoderFor(headers.find('encoding'));
  const parents = named.filter(isOid);
  const rest = {
    parents,
    author: parseSignature(decode(author)),
    committer: parseSignature(decode(committer)),
    message: boundedMessage(bytes.subarray(headers.end), decode),
  };
  if (tree === null || !isOid(tree)) return { ...rest, tree: null, missing: 'tree' };
  return { ...rest, tree, missing: parents.length < named.length ? 'parent' : null };
}

/** The size of a commit's message if that is too long to be read whole, else null. */
export function tooLongMessage(content: Uint8Array): number | null {
  const bytes = bufferOf(content);
  const blank = bytes.indexOf('\n\n');
  const length = blank < 0 ? 0 : bytes.length - blank - 2;
  return length > MAX_MESSAGE_BYTES ? length : null;
}

/** The wiki's own messages are shorter. */
export const MAX_MESSAGE_BYTES = 100_000;

/**
 * The bytes of a commit object. Names, emails and the message must be cleaned first: see commit-message.ts.
 */
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
 * Parses headers. They come in a fixed order, followed by any others, whose values may continue on lines that
 * begin with a space (signatures, merged tags). Values are binary strings until the encoding is known.
 */
class Headers {
  readonly #bytes: Buffer;
  /** The offset of the message. */
  readonly end: number;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    const blank = bytes[0] === LINE_FEED ? -1 : bytes.indexOf('\n\n');
    const isWithoutMessage = blank < 0 && bytes[0] !== LINE_FEED;
    this.end = isWithoutMessage ? bytes.length : blank + 2;
  }

  /** The value of the next header if its name is `name`, else null. */
  take(name: string): string | null {
    if (!this.#isAt(`${name} `)) return null;
    const begin = this.#at + name.length + 1;
    const end = this.#lineEnd(begin);
    this.#at = end + 1;
    return this.#value(begin, end);
  }

  /** The value of the first of the remaining headers that has this name, else null. */
  find(name: string): string | null {
    const place = this.#bytes.subarray(0, this.end).indexOf(`\n${name} `, Math.max(this.#at - 1, 0));
    if (place < 0) return null;
    const begin = place + name.length + 2;
    return this.#value(begin, this.#lineEnd(begin));
  }

  #isAt(text: string): boolean {
    return this.#bytes.toString('latin1', this.#at, this.#at + text.length) === text;
  }

  #lineEnd(from: number): number {
    const end = this.#bytes.indexOf(LINE_FEED, from);
    return end < 0 ? this.#bytes.length : end;
  }

  #value(begin: number, end: number): string {
    return this.#bytes.toString('latin1', begin, Math.min(end, begin + MAX_VALUE_BYTES));
  }
}

/**
 * Only the beginning of a message that is too long, and its last lines: these may be the trailers of a request.
 */
function boundedMessage(bytes: Buffer, decode: (binary: string) => string): string {
  const textOf = (part: Buffer) => decode(part.toString('latin1'));
  if (bytes.length <= MAX_MESSAGE_BYTES) return textOf(bytes);
  const tail = bytes.subarray(-MAX_TAIL_BYTES);
  const line = tail.indexOf(LINE_FEED);
  const last = line < 0 ? '' : textOf(tail.subarray(line + 1));
  const begin = textOf(bytes.subarray(0, MAX_MESSAGE_BYTES - MAX_TAIL_BYTES));
  return `${begin}\n\n(The rest of this message of ${bytes.length} bytes is left out.)\n${last}`;
}

/** A name that the wiki writes has 200 characters at most, an email too. */
const MAX_VALUE_BYTES = 10_000;
/** The trailers of a request take some 200. */
const MAX_TAIL_BYTES = 2_000;

/**
 * Parses as git does: the name before the first `<`, the email up to the next `>`, the date after the last
 * `>`.
 */
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

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** UTF-8 unless the commit names another known encoding. Invalid bytes become U+FFFD. */
function decoderFor(encoding: string | null): (binary: string) => string {
  const decoder = encoding === null ? utf8 : decoderOf(encoding);
  return (binary) => (ASCII.test(binary) ? binary : decoder.decode(Buffer.from(binary, 'latin1')));
}

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding);
  } catch {
    // A RangeError: the encoding is unknown here. ASCII parts of the text can still be read.
    return utf8;
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const LINE_FEED = 0x0a;
const DATE = /^ *(\d+)(?: +([+-]\d{4}))?/;
/** The last second that a JavaScript Date can represent. */
const LAST_SECOND = 8_640_000_000_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII as a whole.
const ASCII = /^[\x00-\x7f]*$/;
