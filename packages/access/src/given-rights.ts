import { scope, wikiName } from '@pagetree/wiki/contract';
import * as z from 'zod';
import { EVERY_WIKI } from './parse-access.ts';
import { commonFolders, type Rights, rightsIn, type WikiRights } from './rights.ts';

/** The rights that a person gives to a client. At each call it has no more than the person has at that moment. */
export const given = z.strictObject({
  may: z.enum(['read', 'write']),
  /** Null for every wiki of the person. The folder `''` is a whole wiki. */
  wikis: z
    .array(z.strictObject({ wiki: wikiName, folders: scope.shape.read }))
    .max(100)
    .nullable(),
});

export type Given = z.output<typeof given>;

/** The rights that both the person and the gift have. A client never administers. */
export function givenRights(rights: Rights, { may, wikis }: Given): Rights {
  const limited = (own: WikiRights, folders: readonly string[]): WikiRights => ({
    read: commonFolders(own.read, folders),
    write: may === 'read' ? [] : commonFolders(own.write, folders),
    mayAdminister: false,
  });
  if (wikis === null)
    return { wikis: new Map([...rights.wikis].map(([name, own]) => [name, limited(own, [''])])) };
  const byName = Map.groupBy(wikis, ({ wiki }) => wiki);
  const entries = [...byName].flatMap(([name, each]): [string, WikiRights][] => {
    const own = name === EVERY_WIKI ? null : rightsIn(rights, name);
    if (own === null) return [];
    const here = limited(
      own,
      each.flatMap(({ folders }) => folders),
    );
    return here.read.length === 0 ? [] : [[name, here]];
  });
  return { wikis: new Map(entries) };
}
