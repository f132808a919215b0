import type { DescribedContract } from './described-contract.ts';
import { incompatibilities } from './incompatibilities.ts';
import type { StoredContract } from './stored-contracts.ts';

/** A change that `incompatibilities` finds but that no call notices, or that could not be avoided. */
export interface AllowedNarrowing {
  finding: RegExp;
  /** The version that brought it: it concerns sides of older versions. */
  since: number;
  reason: string;
}

export const allowedNarrowings: readonly AllowedNarrowing[] = [
  {
    finding: /\.input(\.changes\[\])?\.paths?(\[\])?: maxLength$/,
    since: 2,
    reason: 'No page has a path of over 4,096 characters: it would have over 400 in NFC, and was refused.',
  },
  {
    finding: /\.input\.(since|until|updated_since): refined$/,
    since: 2,
    reason: 'Version 1 has the same check, but its snapshot does not name it.',
  },
  {
    finding: /^check_wiki\.output\.findings\[\]\.kind: without "\w+"$/,
    since: 2,
    reason:
      'A client of version 1, which was never released, cannot read findings of new kinds. It can ask for the old ones by `kinds`.',
  },
  {
    finding: /^import_wiki\.input\.prefix: maxLength$/,
    since: 3,
    reason: 'With a prefix of over 4,096 characters, every file would have over 400 in NFC, and was refused.',
  },
  {
    finding: /\.input\.(since|until|updated_since|updated_until): refined$/,
    since: 6,
    reason:
      'The check accepts all that it did, and more forms of dates: only the message of a refusal changed.',
  },
  {
    finding: /^search_pages\.input\.limit: default$/,
    since: 6,
    reason: 'A side that leaves the limit out gets 10 pages instead of 50, and a cursor for the others.',
  },
  {
    finding: /^read_page\.input\.at: refined$/,
    since: 9,
    reason: 'The check takes what it took, and dates. Only four decimal digits now mean a year.',
  },
  {
    finding: /^check_wiki\.output\.findings\[\]\.kind: without "conflict"$/,
    since: 22,
    reason:
      'Only a wiki in sync with a remote has such findings. A client of an older version cannot read them, and can ask for the others by `kinds`, as the pages for people do.',
  },
  {
    finding: /^get_remote\.output\.remote\.agents_may_sync: removed$/,
    since: 24,
    reason:
      'Only a remote added with --let-agents-sync has the field. A program of an older version cannot read it, and can replace it.',
  },
  {
    finding:
      /^(?:get_remote\.output|list_remotes\.output\.remotes\[\])\.(?:remote\.folder|report\.projection): removed$/,
    since: 26,
    reason:
      'Only a wiki that is a folder of its remote has them. A client that does not know them would sync the whole repository with it, so it must not read them.',
  },
];

/** The incompatibilities of a stored contract with the code that are not allowed. */
export function unallowed(stored: StoredContract, code: DescribedContract): string[] {
  const allowed = allowedNarrowings.filter(({ since }) => stored.version < since);
  return incompatibilities(stored, code).filter(
    (found) => !allowed.some(({ finding }) => finding.test(found)),
  );
}
