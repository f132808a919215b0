/** The place of a remote's token, as the settings name it. */
export type TokenSource =
  /** The credential helpers of git. */
  | { kind: 'git' }
  | { kind: 'file'; path: string }
  /** A secret of AWS Secrets Manager, by its name. */
  | { kind: 'secret'; name: string };

export function parseTokenSource(tokenFrom: string | null): TokenSource {
  if (tokenFrom === null) return { kind: 'git' };
  return tokenFrom.startsWith(SECRET)
    ? { kind: 'secret', name: tokenFrom.slice(SECRET.length) }
    : { kind: 'file', path: tokenFrom };
}

/** A secret as the settings name it. The path of a file is a full one, and begins in another way. */
export function tokenInSecret(name: string): string {
  return `${SECRET}${name}`;
}

const SECRET = 'secret:';

/**
 * The end of a secret's name, which says for whom it is: one wiki, and one server. Everybody who writes the wiki may set
 * its remote. Without this, they could send the token of another wiki, or send this one to a server of their own.
 */
export function ownerInSecretName(wiki: string, url: URL): string {
  // A colon may not be in the name of a secret.
  return `${wiki}/${url.host.replaceAll(':', '+')}`;
}
