import { BrokenPktLine, FLUSH, PktLines, pktLine, textOf } from '@pagetree/wiki/pkt-line';
import { gitAnswer } from '../advertise.ts';
import type { GitRequest } from '../git-caller.ts';
import { errorLine } from './error-answer.ts';
import { FetchArguments } from './fetch-arguments.ts';
import { packAnswer } from './pack-answer.ts';
import { askObjects, type Part } from './send-objects.ts';
import { shallowLines } from './upload-pack.ts';

/**
 * Answers a fetch in version 0 of the protocol, in which each request says again what the ones before said:
 * https://git-scm.com/docs/gitprotocol-pack
 */
export async function uploadPackV0(asked: GitRequest, body: Uint8Array, done: () => void): Promise<Response> {
  const request = readRequest(new PktLines(body));
  const answer = await answerTo(asked, request, done);
  if (answer instanceof Buffer) done();
  return gitAnswer('git-upload-pack-result', answer);
}

interface FetchRequest {
  given: FetchArguments;
  capabilities: ReadonlySet<string>;
  /** True if the request ends before the client names what it has: it only asks where the history is cut. */
  isCutAlone: boolean;
}

async function answerTo(
  asked: GitRequest,
  { given, capabilities, isCutAlone }: FetchRequest,
  done: () => void,
): Promise<Buffer | ReadableStream<Uint8Array>> {
  if (given.fault !== null) return errorLine(given.fault);
  if (given.wants.length === 0) return Buffer.alloc(0);
  const isFinal = given.isDone || (given.isCut && capabilities.has('no-done'));
  const part = await askObjects(asked, given, { isFinal });
  const cut = given.isDeepening ? [...shallowLines(part), FLUSH] : [];
  if (isCutAlone) return Buffer.concat(cut);
  const { lines, isAnswer } = negotiated(part, given, capabilities);
  const before = [...cut, ...lines];
  if (isAnswer) return Buffer.concat(before);
  return packAnswer({ asked, given, first: part, isFinal, before, hasBands: capabilities.has(BANDS), done });
}

/** `isAnswer` is true if no pack follows, as the client may name more commits. */
function negotiated(
  part: Part,
  { isDone }: FetchArguments,
  capabilities: ReadonlySet<string>,
): { lines: Buffer[]; isAnswer: boolean } {
  const last = part.common.at(-1);
  const isDetailed = capabilities.has('multi_ack_detailed');
  const lines = acknowledgments(part, isDetailed);
  if (isDone) {
    if (last === undefined) lines.push(pktLine('NAK'));
    else if (isDetailed) lines.push(pktLine(`ACK ${last}`));
    return { lines, isAnswer: false };
  }
  const isReady = isDetailed && last !== undefined && part.objects !== null;
  if (isReady) lines.push(pktLine(`ACK ${last} ready`));
  if (isDetailed || last === undefined) lines.push(pktLine('NAK'));
  // Without `no-done` the client asks for the pack by a request that says `done`.
  const isAnswer = !isReady || !capabilities.has('no-done');
  if (!isAnswer) lines.push(pktLine(`ACK ${last}`));
  return { lines, isAnswer };
}

/** Without details only the first commit is acknowledged. */
function acknowledgments({ common }: Part, isDetailed: boolean): Buffer[] {
  if (isDetailed) return common.map((oid) => pktLine(`ACK ${oid} common`));
  return common.slice(0, 1).map((oid) => pktLine(`ACK ${oid}`));
}

function readRequest(input: PktLines): FetchRequest {
  const given = new FetchArguments();
  let capabilities: ReadonlySet<string> | null = null;
  let flushes = 0;
  for (let line = input.next(); line !== null; line = input.next()) {
    if (line.kind === 'delim' || line.kind === 'end')
      throw new BrokenPktLine('Version 0 has no such pkt-line.');
    if (line.kind === 'flush') {
      flushes += 1;
      continue;
    }
    const text = textOf(line.data);
    // The capabilities stand behind the first want.
    const first: RegExpExecArray | null = capabilities === null ? FIRST_WANT.exec(text) : null;
    if (first !== null) capabilities = new Set(first[2]?.split(' '));
    given.add(first?.[1] ?? text);
    if (given.isDone) break;
  }
  capabilities ??= new Set();
  for (const name of ['thin-pack', 'no-progress', 'deepen-relative'])
    if (capabilities.has(name)) given.add(name);
  const isCutAlone = given.isDeepening && flushes === 1 && given.haves.length === 0 && !given.isDone;
  return { given, capabilities, isCutAlone };
}

const FIRST_WANT = /^(want [0-9a-f]{40}) ?(.*)$/;
const BANDS = 'side-band-64k';
