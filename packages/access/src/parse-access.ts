import { scope, wikiName } from '@pagetree/wiki/contract';
import * as z from 'zod';

/** Stands for every wiki in a rule. No wiki can have this name. */
export const EVERY_WIKI = '*';
/** Begins the entry of a person who is named by the subject, as the issuer calls them, and not by an email address. */
export const SUBJECT = 'sub:';

const MAX_RULES = 10_000;

/**
 * One rule of `access.json`: who may do what, and where. An email address is in lower case, a subject has `sub:` before
 * it. A display name can be no entry: at most issuers everybody chooses their own, and may choose that of somebody else.
 */
const rule = z
  .strictObject(
    {
      people: list(
        z
          .string(must('be a text'))
          .regex(/^(?:sub:[^\s\p{Cc}]{1,255}|(?!sub:)[^\s@\p{Cc}]+@[^\s@\p{Cc}]+)$/u, {
            error: ({ input }) =>
              `must be an email address, or "sub:" and the subject that the issuer has for the person, not ${shown(input)}`,
          })
          .transform((entry) => (entry.startsWith(SUBJECT) ? entry : comparable(entry))),
      ).optional(),
      groups: list(
        z.string(must('be a text')).regex(/^[^\p{Cc}]{1,255}$/u, must('be the name of a group')),
      ).optional(),
      everyone: z.literal(true, must('be true, or be left out')).optional(),
      wikis: list(
        z
          .string(must('be a text'))
          .refine((name) => name === EVERY_WIKI || wikiName.safeParse(name).success, {
            error: ({ input }) =>
              `must be the name of a wiki, of a-z, 0-9 and "-", or "*" for every wiki, not ${shown(input)}`,
          }),
      ),
      folders: list(
        z
          .string(must('be a text'))
          .refine((folder) => folder !== '' && scope.shape.read.element.safeParse(folder).success, {
            error: ({ input }) =>
              `must be a folder of a wiki with a slash at its end, as "Guides/", not ${shown(input)}; for a whole wiki leave "folders" out`,
          })
          .transform((folder) => folder.normalize('NFC')),
      ).optional(),
      may: z.enum(['read', 'write', 'administer'], must('be "read", "write" or "administer"')),
    },
    must('be an object, as { "people": ["ada@example.org"], "wikis": ["main"], "may": "read" }'),
  )
  .superRefine(({ people, groups, everyone, folders, may }, { addIssue }) => {
    if (everyone === undefined && people === undefined && groups === undefined)
      addIssue('names nobody; give it "people", "groups" or "everyone"');
    if (everyone !== undefined && (people !== undefined || groups !== undefined))
      addIssue('is for everyone and names some as well; leave one of them out');
    if (may === 'administer' && folders !== undefined)
      addIssue('is about folders; "administer" is for whole wikis, so leave "folders" out');
  });

const access = z.strictObject(
  {
    version: z.literal(1, must('be 1, the version of this format')),
    rules: z.array(rule, must('be a list of rules')).max(MAX_RULES, `must have at most ${MAX_RULES} rules`),
  },
  must('be an object, as { "version": 1, "rules": [] }'),
);

/** The rules about who may do what. They add up, so their order means nothing. */
export type Access = z.output<typeof access>;

/** Parses `access.json`. A mistake is one sentence for the person who wrote the file, with at most five faults. */
export function parseAccess(
  text: string,
): { kind: 'access'; access: Access } | { kind: 'mistake'; sentence: string } {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'mistake', sentence: `The access file is not JSON: ${reason.slice(0, 200)}.` };
  }
  const parsed = access.safeParse(json);
  if (parsed.success) return { kind: 'access', access: parsed.data };
  const { issues } = parsed.error;
  const faults = issues.slice(0, MAX_FAULTS).map(faultOf).join('; ');
  const more = issues.length - MAX_FAULTS;
  return {
    kind: 'mistake',
    sentence: `The access file does not fit: ${faults}${more > 0 ? `; and ${more} more` : ''}.`,
  };
}

/**
 * An address as rules and people are compared. Only ASCII: in Unicode the lower case of the Kelvin sign is an ASCII `k`, so
 * that one address could pass for another one.
 */
export function comparable(address: string): string {
  return address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const MAX_FAULTS = 5;

/** A list that is left out means something else than an empty one, which is a slip. */
function list<Element extends z.ZodType>(element: Element) {
  return z.array(element, must('be a list')).min(1, 'must not be empty');
}

/** The error of a field that is missing, has a key that is unknown, or does not fit. */
function must(demand: string) {
  return {
    error: (issue: z.core.$ZodRawIssue) => {
      if (issue.code === 'unrecognized_keys')
        return `takes no ${issue.keys.slice(0, 5).map(shown).join(', ')}`;
      return issue.input === undefined ? `is missing; it must ${demand}` : `must ${demand}`;
    },
  };
}

function faultOf({ path, message }: z.core.$ZodIssue): string {
  const [first, index, ...rest] = path;
  if (first === undefined) return `it ${message}`;
  if (first !== 'rules' || typeof index !== 'number') return `${JSON.stringify(first)} ${message}`;
  const [field, position] = rest;
  const place = `rule ${index + 1}`;
  if (field === undefined) return `${place} ${message}`;
  return `${JSON.stringify(field)} of ${place} ${typeof position === 'number' ? `has an entry that ${message}` : message}`;
}

function shown(value: unknown): string {
  return JSON.stringify(String(value).slice(0, 80));
}
