import type * as z from 'zod';

/** The fault of an argument, worded to follow its name, for readers who do not know our schemas. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${kinds[issue.expected] ?? issue.expected}, not ${kindOf(issue.input)}`;
    case 'invalid_value':
      return issue.input === undefined
        ? `is missing; it is one of ${quoted(issue.values)}`
        : `must be one of ${quoted(issue.values)}`;
    case 'invalid_format':
      return issue.format === 'base64' ? 'must be Base64' : 'does not fit';
    case 'too_small':
      if (issue.origin !== 'string' && issue.origin !== 'array') return `must be at least ${issue.minimum}`;
      return issue.minimum === 1
        ? 'must not be empty'
        : `must have at least ${counted(issue, issue.minimum)}`;
    case 'too_big':
      if (issue.origin !== 'string' && issue.origin !== 'array') return `must be at most ${issue.maximum}`;
      return `must have at most ${counted(issue, issue.maximum)}`;
    case 'unrecognized_keys':
      return `takes no ${quoted(issue.keys.slice(0, keysNamed).map(cut))}${issue.keys.length > keysNamed ? ', …' : ''}`;
    case 'invalid_key':
      return 'cannot be a key';
    default:
      return 'does not fit';
  }
}

/** The types by their JSON names. */
const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function kindOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'number' || typeof input === 'boolean') return String(input);
  return kinds[typeof input] ?? typeof input;
}

function counted({ origin }: { origin: string }, count: number | bigint): string {
  return `${count} ${origin === 'string' ? 'characters' : 'items'}`;
}

function cut(key: string): string {
  return key.length > keyCharacters ? `${key.slice(0, keyCharacters)}…` : key;
}

const keysNamed = 8;
const keyCharacters = 80;

function quoted(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}
