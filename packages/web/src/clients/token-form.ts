import { type Given, given } from '@pagetree/access/given-rights';
import { fieldOf } from '../site/posts/own-posts.ts';
import type { NewToken } from './personal-tokens.ts';

/** The fields of the form for a new token, as they were typed. */
export interface TokenFields {
  name: string;
  may: string;
  /** A wiki or a folder of one in each line. */
  where: string;
  days: string;
}

export const FRESH_FIELDS: TokenFields = { name: '', may: 'read', where: '', days: '90' };

/** The days after which a token may end. */
export const DAYS = ['7', '30', '90', '365'] as const;

export type ReadToken =
  | { kind: 'token'; token: NewToken; fields: TokenFields }
  | { kind: 'fault'; sentence: string; fields: TokenFields };

/** The token that a form asks for. `now` is in milliseconds since 1970. */
export function tokenOf(form: FormData, now: number): ReadToken {
  const text = (name: string) => fieldOf(form, name).replaceAll('\r\n', '\n');
  const fields = { name: text('name').trim(), may: text('may'), where: text('where'), days: text('days') };
  const fault = (sentence: string): ReadToken => ({ kind: 'fault', sentence, fields });
  if (!/^[^\p{Cc}\p{Cf}<>]{1,60}$/u.test(fields.name)) {
    return fault('Give the token a name of at most 60 characters, by which you know later what uses it.');
  }
  const days = DAYS.find((each) => each === fields.days);
  if (days === undefined) return fault('Choose when the token ends.');
  const gave = givenBy(form);
  if (gave.kind === 'fault') return fault(gave.sentence);
  const token = { name: fields.name, given: gave.given, untilMs: now + Number(days) * DAY_MS };
  return { kind: 'token', token, fields };
}

/** The rights that a form gives to a client. */
export function givenBy(
  form: FormData,
): { kind: 'given'; given: Given } | { kind: 'fault'; sentence: string; may: string; where: string } {
  const [may, where] = [fieldOf(form, 'may'), fieldOf(form, 'where').replaceAll('\r\n', '\n')];
  const gave = given.safeParse({ may, wikis: placesIn(where) });
  if (gave.success) return { kind: 'given', given: gave.data };
  return { kind: 'fault', sentence: faultOf(gave.error.issues[0]?.path ?? [], where), may, where };
}

/** A line of the form that says the same. */
export function placeLines({ wikis }: Given): string[] {
  return (wikis ?? []).flatMap(({ wiki, folders }) =>
    folders.map((folder) => (folder === '' ? wiki : `${wiki}/${folder}`)),
  );
}

/** Null if nothing is named: then it is everything. */
function placesIn(text: string): { wiki: string; folders: string[] }[] | null {
  const lines = linesOf(text);
  if (lines.length === 0) return null;
  return lines.map((line) => {
    const [wiki = '', ...rest] = line.split('/');
    const folder = rest.join('/').replace(/\/+$/, '');
    return { wiki, folders: [folder === '' ? '' : `${folder.normalize('NFC')}/`] };
  });
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

function faultOf(path: readonly PropertyKey[], where: string): string {
  const [field, at] = path;
  if (field === 'may') return 'Choose whether it may change pages.';
  const line = typeof at === 'number' ? linesOf(where)[at] : undefined;
  return line === undefined
    ? 'Name at most 100 wikis and folders.'
    : `"${line.slice(0, 100)}" is no wiki, and no folder of one. Write the name of a wiki, as main, or a folder with its wiki, as main/Guides.`;
}

const DAY_MS = 24 * 3_600_000;
