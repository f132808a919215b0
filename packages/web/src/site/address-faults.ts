import type { WikiError } from '@pagetree/wiki/contract';

/**
 * The fault of an address that the wiki does not take, in the words of a person: the error itself names fields of an
 * operation. Null for an error that can be shown as it is.
 */
export function faultOfAddress(address: string, { code, data }: WikiError): string | null {
  if (code !== 'invalid_input') return null;
  const { searchParams: query, pathname } = new URL(address);
  const [field] = Array.isArray(data.fields) ? data.fields.map(String) : [];
  switch (field) {
    case undefined:
      return query.get('cursor') ? OTHER_LIST : null;
    case 'cursor':
      return OTHER_LIST;
    case 'since':
    case 'updated_since':
      return `${quoted(query.get('since'))} is no day.`;
    case 'until':
    case 'updated_until':
      if (query.has('until')) return `${quoted(query.get('until'))} is no day.`;
      return `${quoted(query.get('at'))} is no day and no change of this wiki.`;
    case 'at':
      return noChange(query.get('at') ?? query.get('to'));
    case 'from':
    case 'to':
      return noChange(query.get(field));
    case 'commit':
      return noChange(pathname.split('/').at(-1) ?? '');
    case 'path':
      return pathname.endsWith('/files/')
        ? 'This address names no file.'
        : 'This name is too long for a page.';
    case 'query':
      return 'These words are too long to search for.';
    case 'wiki':
      return 'There is no wiki of this name.';
    default:
      return 'A part of this address does not fit.';
  }
}

const OTHER_LIST = 'This address continues another list.';

function noChange(text: string | null): string {
  return `${quoted(text)} is no change of this wiki.`;
}

function quoted(text: string | null): string {
  return `“${(text ?? '').slice(0, MAX_CHARACTERS)}”`;
}

const MAX_CHARACTERS = 80;
