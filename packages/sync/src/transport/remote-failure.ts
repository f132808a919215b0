/** Every way in which a remote fails. Branch on these, never on messages. */
export type RemoteFailureCode =
  /** No connection. `reason` says why. */
  | 'unreachable'
  /** The remote was silent for too long. */
  | 'timeout'
  /** The remote wants a login, and there is none that it takes. */
  | 'unauthorized'
  /** The login is good and not enough. */
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  | 'server_error'
  /** The answer is of another kind of server, as a web page is. */
  | 'no_git'
  /** The answer is git's and makes no sense, or git's word for an error. */
  | 'broken'
  | 'too_large'
  /** The branch is not where the push expects it. */
  | 'moved'
  /** The remote takes no such push. `words` says why. */
  | 'refused'
  /** This machine has no git or no ssh. */
  | 'no_command'
  /** A repository or server that cannot be used from here. */
  | 'unsupported';

export interface RemoteFailureData {
  /** The remote as it may be shown: without a user, a password or a query. */
  remote: string;
  reason?: RemoteFailureReason;
  /** The status of HTTP, or that with which a command ended. */
  status?: number;
  /** The wait before the next attempt, if the remote asks for one. */
  retryAfterMs?: number;
  /** The words of the remote, shortened and without control characters and passwords. */
  words?: string;
  /** The bound that was exceeded. */
  maxBytes?: number;
}

/** A sentence for each reason; the part behind "remote" or the colon of the message. */
const REASONS = {
  dns: 'its name is not known',
  connection_refused: 'it takes no connection there',
  reset: 'the connection was cut',
  tls: 'its certificate or its encryption is not good',
  no_route: 'there is no way to it from here',
  host_key: 'ssh does not know its host key, or knows another one',
  connection: 'the connection failed',
  no_credentials: 'it wants a login, and there is none',
  no_token: 'it wants a login, and the file with its token is empty or cannot be read',
  rejected: 'it does not take the login',
  token_elsewhere: 'its token is in a file of another machine, which the sync on AWS cannot read',
  token_on_aws: 'its token is in AWS Secrets Manager, which the sync on AWS alone reads',
  no_secret: 'it wants a login, and the secret with its token is missing or empty',
  other_secret: 'by its name, the secret is for another wiki or another server',
  secret_keys:
    'it wants a login, and the secret with its token has keys of which none is token, or username and password',
  secret_unread: 'it wants a login, and AWS Secrets Manager did not answer',
  https_only: 'on AWS only addresses that begin with https:// are synced',
  not_public: 'its address is not one of the public Internet, and on AWS no other is called',
  moved_elsewhere: 'it sent the call on to another address, and the login is not for that one',
  redirect:
    'it sent the call on to an address that is not of a git repository over the same or a safer protocol',
  content_type: 'the answer is not of git',
  status: 'the status is not one that git servers use',
  cut_off: 'the answer was cut off',
  pkt_line: 'the answer has a part that git does not send',
  checksum: 'the checksum of the pack is wrong',
  no_pack: 'what it sent is not a pack',
  error: 'it answered with an error',
  pack: 'the pack is too large',
  objects: 'the pack has too many objects',
  history: 'its history is longer than a sync follows it, and where both sides were the same was not found',
  no_filter:
    'its history is too large, and a git server sends less only if it may leave out what is not asked for',
  refs: 'the list of its branches is too long',
  answer: 'the answer is too long',
  request: 'it says that the pack is too large',
  wide: 'its newest commit, or a folder above the one that is the wiki, is too large',
  push: 'the wiki has more that it lacks than the sync on AWS pushes at once',
  unpack: 'it could not take in the pack',
  sha256: 'its objects are named by SHA-256',
  branch_name: 'the name of its branch is not UTF-8',
  shallow: 'its history is cut off (a shallow clone)',
  capabilities: 'its git is too old or lacks what is needed',
} as const;

export type RemoteFailureReason = keyof typeof REASONS;

/** A call to a remote failed. The message is of sentences in plain words. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  readonly code: RemoteFailureCode;
  readonly data: RemoteFailureData;

  constructor(code: RemoteFailureCode, data: RemoteFailureData) {
    super(messageOf(code, data));
    this.code = code;
    this.data = data;
  }
}

function messageOf(code: RemoteFailureCode, data: RemoteFailureData): string {
  const because = data.reason === undefined ? '' : `: ${REASONS[data.reason]}`;
  const status = data.status === undefined ? '' : ` (status ${data.status})`;
  const bound = data.maxBytes === undefined ? '' : ` It may have ${data.maxBytes} bytes.`;
  const words = data.words === undefined || data.words === '' ? '' : ` The remote says: ${data.words}`;
  return `${SENTENCES[code].replace('REMOTE', () => data.remote)}${because}${status}.${bound}${words}`;
}

const SENTENCES: Record<RemoteFailureCode, string> = {
  unreachable: 'The remote REMOTE cannot be reached',
  timeout: 'The remote REMOTE was silent for too long',
  unauthorized: 'The remote REMOTE lets nobody in without a login',
  forbidden: 'The remote REMOTE does not allow this with the login that was given',
  not_found: 'There is no repository at REMOTE, or the login may not see it',
  rate_limited: 'The remote REMOTE takes no more calls for now',
  server_error: 'The remote REMOTE has a fault of its own',
  no_git: 'No git repository answers at REMOTE',
  broken: 'The answer of the remote REMOTE cannot be used',
  too_large: 'The remote REMOTE exceeds a bound',
  moved: 'The branch of the remote REMOTE is not where this push expects it',
  refused: 'The remote REMOTE refuses the push',
  no_command: 'This machine lacks the program that REMOTE needs: git for a folder, ssh for another machine',
  unsupported: 'The remote REMOTE cannot be used from here',
};

/** Waits for `work`. Returns `otherwise` if the remote would send more than a sync takes. */
export async function unlessTooLarge<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RemoteFailure && error.code === 'too_large') return otherwise;
    throw error;
  }
}

/** Makes one line of what a remote says, for people: without control characters, passwords and logins in addresses. */
export function cleanWords(text: string, secrets: readonly string[] = []): string {
  let words = text;
  for (const secret of secrets) if (secret !== '') words = words.replaceAll(secret, '***');
  return words
    .replaceAll(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1')
    .replaceAll(/(\bhttps?:\/\/[^\s?#]*)[?#]\S*/gi, '$1')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_WORDS);
}

const MAX_WORDS = 1_000;
