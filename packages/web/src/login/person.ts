import { createHash } from 'node:crypto';
import { comparable } from '@pagetree/access/parse-access';
import type { Person } from '@pagetree/access/rights';
import type { Author } from '@pagetree/wiki/contract';
import * as z from 'zod';

/** The claims that are read of an ID token and of the answer for the user. Others may be there; these may be missing. */
const claims = z.object({
  name: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
  email: z.string().optional().catch(undefined),
  email_verified: z.unknown().optional(),
  groups: z.array(z.string()).optional().catch(undefined),
  'cognito:groups': z.array(z.string()).optional().catch(undefined),
});

interface Source {
  issuer: string;
  subject: string;
  /** The claims of the ID token. */
  token: unknown;
  /** Those that the issuer gives for its access token; null if it gives none. */
  user: unknown;
}

/**
 * The person whom the issuer describes. Where both speak of the same, the ID token counts. An address counts only with
 * the word of the same source that it is verified: otherwise everybody could claim that of somebody else.
 */
export function personOf({ issuer, subject, token, user }: Source): Person {
  const sources = [claims.parse(token), claims.parse(user ?? {})];
  const first = <Value>(get: (source: z.output<typeof claims>) => Value | undefined) =>
    sources.map(get).find((value) => value !== undefined);
  const withEmail = sources.find(({ email }) => email !== undefined);
  const email = withEmail?.email_verified === true ? emailIn(withEmail.email) : null;
  const name = oneLine(first((each) => each.name) ?? first((each) => each.preferred_username) ?? '');
  return {
    issuer,
    subject,
    email,
    name: name || email || oneLine(subject) || 'A person without a name',
    groups: first((each) => each.groups) ?? first((each) => each['cognito:groups']) ?? [],
  };
}

/**
 * The author of what a person changes. Without a verified address it is one that can never be real (RFC 2606), made from
 * the subject.
 */
export function authorOf({ issuer, subject, email, name }: Person): Author {
  if (email !== null) return { name, email };
  const account = /^[\w.+-]{1,64}$/.test(subject)
    ? subject
    : createHash('sha256').update(subject).digest('hex').slice(0, 32);
  return { name, email: `${account}@${new URL(issuer).hostname}.invalid` };
}

/** Stands for the person where their name must not be. */
export function personDigest({ issuer, subject }: Person): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url');
}

/** In a form that fits a line of a commit; null for any other. */
function emailIn(email = ''): string | null {
  return /^[^\s<>@\p{Cc}\p{Cf}]{1,64}@[^\s<>@\p{Cc}\p{Cf}]{1,150}$/u.test(email) ? comparable(email) : null;
}

/** The text without what could end the line of a commit, or turn the text after it around, of at most so many characters. */
export function oneLine(text: string, most = MAX_NAME): string {
  const line = text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s<>]+/gu, ' ');
  return [...line].slice(0, most).join('').trim();
}

const MAX_NAME = 100;
