import { createHash } from 'node:crypto';
import { FLUSH } from '@pagetree/wiki/pkt-line';
import type { GitRequest } from '../git-caller.ts';
import { wordsOf } from '../refusal.ts';
import { errorBand, inBand, MAX_BAND_BYTES, progressBand } from '../side-band.ts';
import type { FetchArguments } from './fetch-arguments.ts';
import { askObjects, type Part } from './send-objects.ts';

interface PackAnswer {
  asked: GitRequest;
  given: FetchArguments;
  /** The first part of the objects, which is forgotten when it is sent. */
  first: Part;
  /** As the first part was asked for: further ones have to be asked for alike. */
  isFinal: boolean;
  /** Lines that come before the pack. */
  before: readonly Uint8Array[];
  /** False if the client takes the bytes of the pack as they are. Then only the end of the connection says that it failed. */
  hasBands: boolean;
  /** Called once, at the end of the answer, or when the client has left. */
  done(): void;
}

/** A pack as the rest of an answer. The next part is read when the client has taken the one before. */
export function packAnswer(answer: PackAnswer): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const { call, until } = answer.asked;
  const signal = AbortSignal.any([left.signal, ...(call.signal === undefined ? [] : [call.signal])]);
  const asked = { ...answer.asked, call: { ...call, signal } };
  const chunks = bytesOf({ ...answer, asked });
  let isDone = false;
  const done = () => {
    if (!isDone) answer.done();
    isDone = true;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done: isEnd } = await chunks.next();
          if (!isEnd) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          if (answer.hasBands) {
            controller.enqueue(errorBand(until?.aborted ? REVOKED : wordsOf(error)));
            controller.close();
          } else controller.error(error);
        }
        done();
      },
      cancel() {
        left.abort();
        done();
      },
    },
    // Nothing is made before the client can take it.
    { highWaterMark: 0 },
  );
}

async function* bytesOf(answer: PackAnswer): AsyncGenerator<Uint8Array> {
  const { before, given, hasBands } = answer;
  yield Buffer.concat(before);
  if (!hasBands) return yield* packOf(answer);
  if (!given.isQuiet) yield progressBand(`Sending ${answer.first.objects} objects.`);
  for await (const bytes of packOf(answer)) yield* inBand(bytes);
  yield FLUSH;
}

/** In pieces of at most one packet. */
async function* packOf({ asked, given, first, isFinal }: PackAnswer): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha1');
  const header = headerOf(first.objects ?? 0);
  hash.update(header);
  yield header;
  let { entries, next_cursor: cursor } = first;
  first.entries = NOTHING;
  for (;;) {
    hash.update(entries);
    for (let at = 0; at < entries.length; at += MAX_BAND_BYTES) {
      asked.call.signal?.throwIfAborted();
      yield entries.subarray(at, at + MAX_BAND_BYTES);
    }
    if (cursor === null) break;
    // One part in memory at a time.
    entries = NOTHING;
    ({ entries, next_cursor: cursor } = await askObjects(asked, given, { isFinal, cursor }));
  }
  yield hash.digest();
}

function headerOf(objects: number): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(objects, 8);
  return header;
}

const NOTHING = new Uint8Array(0);
const REVOKED = 'The token was revoked, or allows less than when this began. Fetch again with another one.';
