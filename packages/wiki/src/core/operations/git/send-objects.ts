import { createHash } from 'node:crypto';
import { WikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { decodeCursor, encodeCursor } from '../../cursor.ts';
import type { Session } from '../../session.ts';
import { BEGINNING, type FetchRequest, type ObjectFilter, type PackPlace } from '../../transport-port.ts';
import { contentOf } from '../../writing/given-content.ts';

export async function sendObjects(
  { repository, call, host }: Session,
  { wiki: _wiki, cursor, ...asked }: Input<'send_objects'>,
): Promise<Output<'send_objects'>> {
  const { pack, ...found } = await repository.sending.plan(requestOf(asked), call);
  if (pack === null) return { ...found, objects: null, content: null, next_cursor: null };
  // The objects depend on what the wiki knew of the client's commits: a part of another list would not fit.
  const query = { ...asked, known: digestOf(found.common), objects: pack.objects };
  const from = cursor === undefined ? BEGINNING : placeIn(cursor, query);
  const most = Math.min(PART_BYTES, host.attachmentBytes ?? PART_BYTES);
  const { entries, next } = await pack.part(from, most);
  return {
    ...found,
    objects: pack.objects,
    content: contentOf(entries, call),
    next_cursor: next.object < pack.objects ? cursorOf(next, query) : null,
  };
}

const PART_BYTES = 8_000_000;

/** A cursor in the common form, whose `commit` names the packs, and the number since when they are these. */
function cursorOf({ object, byte, copied: { packs, since } }: PackPlace, query: object): string {
  const offset = object * MAX_ENTRY_BYTES + byte;
  return `${encodeCursor({ commit: packs, offset }, { ...query, since })}.${since}`;
}

function placeIn(text: string, query: object): PackPlace {
  const [cursor = '', number] = text.split('.');
  const since = Number(number);
  const { commit: packs, offset } = decodeCursor(cursor, { ...query, since });
  const object = Math.floor(offset / MAX_ENTRY_BYTES);
  return { object, byte: offset % MAX_ENTRY_BYTES, copied: { packs, since } };
}

/** More than an object may have that is read. */
const MAX_ENTRY_BYTES = 2 ** 28;

function requestOf(asked: Omit<Input<'send_objects'>, 'wiki' | 'cursor'>): FetchRequest {
  return {
    wants: asked.wants,
    haves: asked.haves,
    isFinal: asked.is_final,
    shallow: asked.shallow,
    depth: asked.depth ?? null,
    fromShallow: asked.from_shallow ?? false,
    since: asked.since ?? null,
    filter: parseFilter(asked.filter),
    mayBeThin: asked.may_be_thin,
  };
}

function parseFilter(text: string | undefined): ObjectFilter {
  if (text === undefined) return { blobBytes: Number.POSITIVE_INFINITY, trees: false };
  if (text === 'blob:none') return { blobBytes: 0, trees: false };
  if (text === 'tree:0') return { blobBytes: 0, trees: true };
  const [, count, unit] = /^blob:limit=(\d{1,12})([kmg]?)$/.exec(text) ?? [];
  if (count !== undefined) return { blobBytes: Number(count) * (UNITS[unit ?? ''] ?? 1), trees: false };
  throw new WikiError('invalid_input', {
    happened: `The filter ${JSON.stringify(text)} is not supported.`,
    now: 'Nothing was sent.',
    next: 'Use blob:none, blob:limit=BYTES or tree:0.',
  });
}

const UNITS: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

function digestOf(oids: readonly string[]): string {
  return createHash('sha256').update(oids.join('\n')).digest('hex');
}
