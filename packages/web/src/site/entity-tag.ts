import { createHash } from 'node:crypto';

/**
 * The tag of an answer: its build, its commit, and a digest of it. The answer is the same if the build and
 * the commit are, or if the build and the digest are: most commits change other pages.
 */
export interface EntityTag {
  build: string;
  commit: string;
  digest: string;
}

export function writeTag({ build, commit, digest }: EntityTag): string {
  return `W/"${build}.${commit}.${digest}"`;
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** The tag of ours in `If-None-Match`, if the browser has an answer of this build. */
export function readTag(header: string | undefined, build: string): EntityTag | null {
  const [, given, commit, digest] = /^W\/"([\w-]+)\.([0-9a-f]{40})\.([\w-]{22})"$/.exec(header ?? '') ?? [];
  if (given !== build || commit === undefined || digest === undefined) return null;
  return { build, commit, digest };
}
