import { WikiError } from '../../contract/errors.ts';
import { commitNotFound } from '../../core/commit-info.ts';
import type { Oid } from '../../formats/oid.ts';
import type { Objects } from '../objects.ts';
import type { RepositoryStorage } from '../storage-failures.ts';

/** The commit for a full id or a unique prefix. Other types of objects may share the prefix. */
export async function resolveCommit(
  objects: Objects,
  storage: RepositoryStorage,
  given: string,
): Promise<Oid> {
  const prefix = given.toLowerCase();
  if (!PREFIX.test(prefix)) throw notAPrefix(given);
  const candidates = prefix.length === OID_DIGITS ? [prefix] : await storage.expand(prefix, MAX_CANDIDATES);
  const commits: Oid[] = [];
  for (const candidate of candidates) {
    if ((await objects.findCommit(candidate)) !== null) commits.push(candidate);
  }
  const [commit, ...others] = commits;
  if (commit === undefined) throw commitNotFound(given);
  if (others.length > 0) throw ambiguous(given, commits);
  return commit;
}

function notAPrefix(given: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `${JSON.stringify(given)} is no commit id.`,
    now: 'Nothing was changed.',
    next: `Give 4 to ${OID_DIGITS} hexadecimal digits, as get_history shows them.`,
    atTerminal: `Give 4 to ${OID_DIGITS} hexadecimal digits, as \`git log\` shows them.`,
  });
}

function ambiguous(given: string, commits: readonly Oid[]): WikiError {
  return new WikiError(
    'invalid_input',
    {
      happened: `More than one commit begins with ${given}.`,
      now: `They are ${commits.join(', ')}.`,
      next: 'Give more digits.',
    },
    { commits },
  );
}

const OID_DIGITS = 40;
const PREFIX = /^[0-9a-f]{4,40}$/;
/** Objects of any type that begin with four digits are about 15 among a million. */
const MAX_CANDIDATES = 200;
