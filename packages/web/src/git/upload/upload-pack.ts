import { BrokenPktLine, DELIM, FLUSH, PktLines, pktLine, textOf } from '@pagetree/wiki/pkt-line';
import { gitAnswer, listRefs, type Refs } from '../advertise.ts';
import type { GitRequest } from '../git-caller.ts';
import { errorLine } from './error-answer.ts';
import { FetchArguments } from './fetch-arguments.ts';
import { packAnswer } from './pack-answer.ts';
import { askObjects, type Part } from './send-objects.ts';

/** Answers a command of protocol version 2: https://git-scm.com/docs/gitprotocol-v2 */
export async function uploadPack(asked: GitRequest, body: Uint8Array, done: () => void): Promise<Response> {
  const { command, lines } = readCommand(new PktLines(body));
  let answer: Buffer | ReadableStream<Uint8Array>;
  if (command === 'ls-refs') answer = refLines(await listRefs(asked), lines);
  else if (command === 'fetch') answer = await fetchAnswer(asked, lines, done);
  else answer = errorLine(`There is no command ${JSON.stringify(command)} here.`);
  if (answer instanceof Buffer) done();
  return gitAnswer('git-upload-pack-result', answer);
}

/** The command, and its arguments. Capabilities of the client change nothing here. */
function readCommand(input: PktLines): { command: string; lines: string[] } {
  let command = '';
  const lines: string[] = [];
  let isArguments = false;
  for (let line = input.next(); line?.kind !== 'flush'; line = input.next()) {
    if (line === null || line.kind === 'end') throw new BrokenPktLine('The command has no end.');
    if (line.kind === 'delim') isArguments = true;
    else if (isArguments) lines.push(textOf(line.data));
    else {
      const text = textOf(line.data);
      if (text.startsWith('command=')) command = text.slice('command='.length);
      else if (text.startsWith('object-format=') && text !== 'object-format=sha1')
        throw new BrokenPktLine('Objects here are named by SHA-1.');
    }
  }
  return { command, lines };
}

function refLines({ head, refs }: Refs, lines: readonly string[]): Buffer {
  const asks = new Set(lines);
  const prefixes = lines.filter((line) => line.startsWith(PREFIX)).map((line) => line.slice(PREFIX.length));
  const isAsked = (name: string) =>
    prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix));
  const first = refs.find(({ name }) => name === head);
  const answer: string[] = [];
  if (isAsked('HEAD')) {
    const target = asks.has('symrefs') ? ` symref-target:${head}` : '';
    if (first !== undefined) answer.push(`${first.oid} HEAD${target}`);
    else if (asks.has('unborn')) answer.push(`unborn HEAD${target}`);
  }
  for (const { name, oid, peeled } of refs) {
    if (!isAsked(name)) continue;
    answer.push(`${oid} ${name}${peeled !== null && asks.has('peel') ? ` peeled:${peeled}` : ''}`);
  }
  return Buffer.concat([...answer.map(pktLine), FLUSH]);
}

const PREFIX = 'ref-prefix ';

async function fetchAnswer(asked: GitRequest, lines: readonly string[], done: () => void) {
  const given = FetchArguments.read(lines);
  if (given.fault !== null) return errorLine(given.fault);
  const isNegotiating = given.haves.length > 0 && !given.isDone;
  if (given.wants.length === 0) {
    // Only `git fetch --negotiate-only` wants nothing: it asks which of its commits are here.
    if (!given.waitsForDone) return FLUSH;
    const { head, refs } = await listRefs(asked);
    const tip = refs.find(({ name }) => name === head);
    if (tip === undefined) return acknowledgments([], false);
    given.wants.push(tip.oid);
  }
  const mustWait = isNegotiating && given.waitsForDone;
  const isFinal = !isNegotiating || (given.isCut && !mustWait);
  const part = await askObjects(asked, given, { isFinal });
  const isReady = part.objects !== null && !mustWait;
  if (isNegotiating && !isReady) return acknowledgments(part.common, false);
  const before = [
    ...(isNegotiating ? [acknowledgments(part.common, true)] : []),
    ...shallowInfo(part, given),
    pktLine('packfile'),
  ];
  return packAnswer({ asked, given, first: part, isFinal, before, hasBands: true, done });
}

function acknowledgments(common: readonly string[], isReady: boolean): Buffer {
  const lines = common.length === 0 ? ['NAK'] : common.map((oid) => `ACK ${oid}`);
  const all = ['acknowledgments', ...lines, ...(isReady ? ['ready'] : [])];
  return Buffer.concat([...all.map(pktLine), isReady ? DELIM : FLUSH]);
}

function shallowInfo({ shallow, unshallow }: Part, given: FetchArguments): Buffer[] {
  if (!given.isDeepening && given.shallow.length === 0) return [];
  return [pktLine('shallow-info'), ...shallowLines({ shallow, unshallow }), DELIM];
}

export function shallowLines({ shallow, unshallow }: Pick<Part, 'shallow' | 'unshallow'>): Buffer[] {
  const lines = [...shallow.map((oid) => `shallow ${oid}`), ...unshallow.map((oid) => `unshallow ${oid}`)];
  return lines.map(pktLine);
}
