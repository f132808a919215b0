import {
  nextAtTerminal,
  type RemoteSettings,
  type SyncReport,
  toWikiError,
  type WikiError,
} from '@pagetree/wiki/contract';
import { Halted } from './halted.ts';
import type { Synced } from './sync-once.ts';
import {
  RemoteFailure,
  type RemoteFailureCode,
  type RemoteFailureReason,
} from './transport/remote-failure.ts';
import type { Merged } from './wiki-side.ts';

/** The state of a sync: `in_step`, or the reason that it is not. */
export type SyncState =
  | 'in_step'
  | RemoteFailureCode
  | Halted['code']
  | 'unacceptable'
  | 'wiki_read_only'
  | 'wiki_unavailable';

export interface Described {
  state: SyncState;
  /** Sentences for a person: the failure, the present state and the next step. */
  words: string;
  /** True if waiting may cure it. Otherwise a person has to do something, and the next attempts come at longer intervals. */
  passes: boolean;
  /** The wait that the remote asks for. */
  retryAfterMs: number | null;
}

export function describeSynced(
  { branch, taken, isPushed, receivedBytes, sentBytes }: Synced,
  { folder }: Pick<RemoteSettings, 'folder'>,
): string {
  const done: string[] = [];
  if (taken !== null) done.push(`Took in what the remote had (${bytes(receivedBytes)}).`);
  if (isPushed) done.push(`Pushed what it lacked (${bytes(sentBytes)}).`);
  if (taken !== null) done.push(...describeConflicts(taken));
  const where = folder === undefined ? '' : `${folder}/ of `;
  return `In step with ${where}${branch.slice('refs/heads/'.length)}. ${done.join(' ')}`.trim();
}

/** A line for a log. */
export function describeReport(wiki: string, { state, words }: SyncReport): string {
  return `sync of ${wiki}: ${state === 'in_step' ? words : `${state}. ${words}`}`;
}

/** Two sentences at most: what both sides changed, and what one side deleted or moved while the other changed it. */
function describeConflicts({ conflicts, more_conflicts: more }: Merged): string[] {
  const changed = conflicts.filter(({ ours, theirs }) => ours !== null && theirs !== null);
  const gone = conflicts.filter(({ ours, theirs }) => ours === null || theirs === null);
  const said: string[] = [];
  if (changed.length > 0) {
    const paths = listed(changed, more);
    said.push(
      `Both sides changed the same lines of ${paths}. The text of the wiki stays; that of the remote is in the history.`,
    );
  }
  if (gone.length > 0) {
    const paths = listed(gone, changed.length === 0 ? more : 0);
    said.push(
      `One side deleted or moved ${paths}, and the other one changed it. The wiki stays as it is; the other version is in the history.`,
    );
  }
  return said;
}

function listed(conflicts: readonly { path: string }[], more: number): string {
  const shown = conflicts.slice(0, MAX_SHOWN).map(({ path }) => JSON.stringify(path));
  const rest = conflicts.length - shown.length + more;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Throws an error that is none of a remote or a wiki. */
export function describeFailure(error: unknown): Described {
  if (error instanceof RemoteFailure) return ofRemote(error);
  if (error instanceof Halted) return ofHalt(error);
  return ofWiki(toWikiError(error));
}

function ofRemote(failure: RemoteFailure): Described {
  const { code, data } = failure;
  const next = (data.reason && NEXT_AFTER[data.reason]) ?? NEXT[code];
  return {
    state: code,
    words: `${failure.message} ${NOTHING_LOST} ${next.words}`,
    passes: next.passes,
    retryAfterMs: data.retryAfterMs ?? null,
  };
}

function ofHalt({ code, branch, branches }: Halted): Described {
  const name = shortName(branch);
  const others = branches.slice(0, MAX_SHOWN).map(shortName).join(', ');
  const words = {
    branch_gone: `The remote has no branch ${name}. It has ${others}. ${NOTHING_LOST} Add the remote again with --branch, or make that branch there.`,
    diverged: `The branch ${name} of the remote has commits that the wiki lacks, and this remote is only pushed to. ${NOTHING_LOST} Add the remote again with --mode two-way to merge them.`,
    no_folder: `In the branch ${name} of the remote, what has the name of the folder is a file, a symbolic link or a submodule, or a folder that is spelled in another way, as with capital letters. ${NOTHING_LOST} Add the remote again with another --folder, or make it a folder there.`,
  }[code];
  return { state: code, words, passes: false, retryAfterMs: null };
}

function ofWiki(error: WikiError): Described {
  const { text } = error;
  const isShown = error.cause instanceof Error && text.happened.includes(error.cause.message);
  const cause =
    error.code === 'internal' && error.cause !== undefined && !isShown ? ` (${String(error.cause)})` : '';
  if (error.code === 'too_large') {
    const words = `${text.happened} ${text.now} ${NEXT.too_large.words}`;
    return { state: 'too_large', words, passes: false, retryAfterMs: null };
  }
  const words = `${text.happened}${cause} ${text.now} ${nextAtTerminal(text)}`;
  const state =
    error.code === 'forbidden'
      ? 'wiki_read_only'
      : REFUSALS.has(error.code)
        ? 'unacceptable'
        : 'wiki_unavailable';
  const { retry_after_ms: wait } = error.data;
  return {
    state,
    words,
    passes: state === 'wiki_unavailable',
    retryAfterMs: typeof wait === 'number' ? wait : null,
  };
}

/** The wiki does not take what the remote has. */
const REFUSALS: ReadonlySet<string> = new Set(['invalid_input', 'invalid_path', 'not_found']);

const NOTHING_LOST = 'Nothing is lost: both sides keep what they have.';
const AGAIN = 'The sync tries again by itself.';
const LOGIN =
  'Give a token that may read and write this repository with --token-file (for the sync on AWS with --token-secret), or log in with git on this machine.';

interface Next {
  words: string;
  passes: boolean;
}

/** Where the reason says more than the code. */
const NEXT_AFTER: Partial<Record<RemoteFailureReason, Next>> = {
  token_elsewhere: { words: 'Add the remote again with --token-secret.', passes: false },
  token_on_aws: { words: 'Wait for the sync on AWS, or add the remote again without it.', passes: false },
  no_secret: { words: 'Make the secret that `remote status` names, with the token in it.', passes: false },
  no_token: {
    words:
      'Write the token into the file that `remote status` names, or add the remote again with another one.',
    passes: false,
  },
  secret_keys: { words: 'Make a secret whose text is the token alone.', passes: false },
  branch_name: { words: 'Rename it there, or choose another one with --branch.', passes: false },
  other_secret: {
    words: 'Name the secret pagetree/STACK/WIKI/HOST, and add the remote again.',
    passes: false,
  },
  push: {
    words:
      'Push a clone of the wiki to it once, or add the remote with --token-file and run `remote sync` on a machine; then add it as it is now.',
    passes: false,
  },
  history: {
    words: 'Add it again with a --branch whose newest commits the wiki knows, or begin a new wiki with it.',
    passes: false,
  },
  no_filter: {
    words: 'Allow filters there, as large hosts do: `git config uploadpack.allowFilter true`.',
    passes: false,
  },
  wide: { words: 'Use another folder or repository, or the whole one.', passes: false },
  secret_unread: { words: AGAIN, passes: true },
  https_only: { words: 'Add the remote by its https:// address.', passes: false },
  not_public: {
    words: 'Use another server, or `remote sync` on a machine that reaches this one.',
    passes: false,
  },
};

const NEXT: Record<RemoteFailureCode, Next> = {
  unreachable: { words: AGAIN, passes: true },
  timeout: { words: AGAIN, passes: true },
  unauthorized: { words: LOGIN, passes: false },
  forbidden: { words: LOGIN, passes: false },
  not_found: { words: 'Check the address, and make the repository if it is not there yet.', passes: false },
  rate_limited: { words: AGAIN, passes: true },
  server_error: { words: AGAIN, passes: true },
  no_git: { words: 'Check the address: it is the one that `git clone` takes.', passes: false },
  broken: { words: AGAIN, passes: true },
  too_large: {
    words:
      'Clone the repository, and begin a wiki with it by `pagetree import`; or bring the rest in by git.',
    passes: false,
  },
  moved: { words: `Others pushed each time that the wiki tried. ${AGAIN}`, passes: true },
  refused: {
    words:
      'Allow this login to push to the branch, choose another one with --branch, or only take with --mode pull.',
    passes: false,
  },
  no_command: { words: 'Install it, or use an address that begins with https://.', passes: false },
  unsupported: { words: 'Use another repository.', passes: false },
};

function shortName(branch: string): string {
  return branch.replace(/^refs\/heads\//, '');
}

function bytes(count: number): string {
  return `${count} bytes`;
}

const MAX_SHOWN = 5;
