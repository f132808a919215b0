import { type GitObject, type ObjectType, type Oid, objectId } from '../../src/formats/oid.ts';
import { encodePack } from '../../src/formats/packs/pack.ts';
import { indexMerge, indexPush } from '../../src/git/received/push/index-push.ts';
import type { MergeOutcome, ObjectReader, PushOutcome, Storage } from '../../src/storage/storage.ts';
import { mergeBoth, pagesAt } from './pages.ts';

export interface GivenPush {
  from: Oid | null;
  to: Oid;
  pack: Uint8Array | null;
  signal?: AbortSignal;
}

/** Pushes as the wiki does, every object judged. */
export function pushTo(storage: Storage, push: GivenPush): Promise<PushOutcome> {
  return storage.push({ ...push, receive: () => indexPush(push, storage) });
}

/** Merges what a push would bring, as the wiki does. */
export function mergeInto(
  storage: Storage,
  { to, pack, signal }: Omit<GivenPush, 'from'>,
): Promise<MergeOutcome> {
  return storage.merge({
    foreign: to,
    signal,
    receive: (head) => indexMerge(head, { commit: to, pack, signal }, storage),
    build: (base, transaction) => mergeBoth(base, to, transaction),
  });
}

/** A push of one commit that writes one page onto `from`. The same arguments make the same commit. */
export async function pagePush(
  objects: ObjectReader,
  from: Oid | null,
  page: string,
  text: string,
  message = `Push ${page}\n`,
): Promise<GivenPush & { pack: Uint8Array; made: GitObject[] }> {
  const made: GitObject[] = [];
  const make = (type: ObjectType, content: Uint8Array) => {
    made.push({ type, content });
    return objectId(type, content);
  };
  const pages = from === null ? new Map<string, Oid>() : await pagesAt(objects, from);
  pages.set(page, make('blob', Buffer.from(text)));
  const entries = [...pages].sort(([one], [other]) => (one < other ? -1 : 1));
  const tree = make(
    'tree',
    Buffer.concat(
      entries.flatMap(([name, oid]) => [Buffer.from(`100644 ${name}\0`), Buffer.from(oid, 'hex')]),
    ),
  );
  const who = 'A. Pusher <pusher@example.org> 1700000000 +0000';
  const parent = from === null ? '' : `parent ${from}\n`;
  const commit = `tree ${tree}\n${parent}author ${who}\ncommitter ${who}\n\n${message}`;
  const to = make('commit', Buffer.from(commit));
  return { from, to, pack: encodePack(made).packBytes, made };
}
