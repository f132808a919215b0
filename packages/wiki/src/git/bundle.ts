import { WikiError } from '../contract/errors.ts';
import type { Call } from '../contract/wiki.ts';
import { encodePack } from '../storage/objects/pack-writer.ts';
import type { GitObject, ObjectReader, Oid } from '../storage/storage.ts';
import { EMPTY_TREE, Objects } from './objects.ts';
import { reachable } from './reachable.ts';

/** A git bundle, version 2: refs and one pack. https://git-scm.com/docs/gitformat-bundle */
export interface Bundle {
  /** What HEAD names, else the main branch, else the only one. */
  tip: Oid;
  packBytes: Uint8Array;
}

/** Throws `invalid_input` for what is no bundle, or one that builds on commits which it does not hold. */
export function parseBundle(bytes: Uint8Array): Bundle {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.indexOf('\n\n');
  const lines = buffer.toString('utf8', 0, Math.max(0, end)).split('\n');
  const [signature, ...rest] = lines;
  if (end === -1 || !/^# v[23] git bundle$/.test(signature ?? '')) throw broken('it is no git bundle');
  const format = rest.find((line) => line.startsWith('@object-format='));
  if (format !== undefined && format !== '@object-format=sha1') throw broken('it uses SHA-256');
  if (rest.some((line) => line.startsWith('@filter=')))
    throw broken('it is partial: it was made with a filter');
  if (rest.some((line) => line.startsWith('-'))) {
    throw broken(
      'it holds only the newer part of a history; make it with `git bundle create FILE HEAD main`',
    );
  }
  const refs = rest.flatMap((line) => {
    const [, oid, name] = /^([0-9a-f]{40}) (.+)$/.exec(line) ?? [];
    return oid === undefined || name === undefined ? [] : [{ oid, name }];
  });
  const named = (name: string) => refs.find((ref) => ref.name === name);
  const branches = refs.filter((ref) => ref.name.startsWith('refs/heads/'));
  const ref = named('HEAD') ?? named('refs/heads/main') ?? named('refs/heads/master') ?? branches[0];
  if (ref === undefined) throw broken('it holds no branch');
  return { tip: ref.oid, packBytes: bytes.subarray(end + 2) };
}

/** A bundle of everything that a commit reaches. */
export async function makeBundle(
  reader: ObjectReader,
  tip: Oid,
  branch: string,
  { signal, progress }: Pick<Call, 'signal' | 'progress'>,
): Promise<Uint8Array> {
  const objects = new Objects(reader, CACHE_BYTES);
  const packed: GitObject[] = [];
  for await (const { oid, type } of reachable(objects, tip)) {
    if (signal?.aborted) throw cancelled();
    packed.push(oid === EMPTY_TREE ? { type, content: new Uint8Array() } : await reader.read(oid));
    if (packed.length % 1_000 === 0) progress?.(packed.length, 0, 'packing objects');
  }
  const header = `# v2 git bundle\n${tip} refs/heads/${branch}\n${tip} HEAD\n\n`;
  return Buffer.concat([Buffer.from(header), encodePack(packed).packBytes]);
}

const CACHE_BYTES = 4_000_000;

export function broken(reason: string, cause?: unknown): WikiError {
  return new WikiError(
    'invalid_input',
    {
      happened: `The git bundle cannot be imported: ${reason}.`,
      now: 'Nothing was imported.',
      next: 'Make it anew with `git bundle create FILE HEAD main`.',
    },
    {},
    { cause },
  );
}

export function cancelled(): WikiError {
  return new WikiError('busy', {
    happened: 'The call was cancelled, or its time ran out.',
    now: 'Nothing was changed.',
    next: 'Call again if it is still wanted.',
  });
}
