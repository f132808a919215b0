import type { Oid } from '../../formats/oid.ts';
import { type BundleProblem, type BundleRef, parseBundle } from '../../formats/packs/bundle.ts';
import { BOUNDS, broken } from './bounds.ts';

export interface ReceivedBundle {
  /** The target of HEAD, else of the main branch, else of the only branch. */
  tip: Oid;
  packBytes: Uint8Array;
}

/** Throws `invalid_input` if the bytes are no bundle, or if it builds on commits that it does not hold. */
export function readBundle(bytes: Uint8Array): ReceivedBundle {
  const bundle = parseBundle(bytes, BOUNDS.headerBytes);
  if ('problem' in bundle) throw broken(reasonOf(bundle));
  const tip = tipOf(bundle.refs);
  if (tip === undefined) throw broken('it holds no branch');
  return { tip: tip.oid, packBytes: bundle.packBytes };
}

function tipOf(refs: readonly BundleRef[]): BundleRef | undefined {
  const named = (name: string) => refs.find((ref) => ref.name === name);
  const branch = refs.find((ref) => ref.name.startsWith('refs/heads/'));
  return named('HEAD') ?? named('refs/heads/main') ?? named('refs/heads/master') ?? branch;
}

function reasonOf(found: BundleProblem): string {
  switch (found.problem) {
    case 'no bundle':
      return 'it is no git bundle';
    case 'too many refs':
      return 'it names more refs than one history needs';
    case 'SHA-256':
      return 'it uses SHA-256';
    case 'filtered':
      return 'it is partial: it was made with a filter';
    case 'unknown capability':
      return `it needs ${JSON.stringify(found.capability.slice(0, 100))}, which is unknown here`;
    case 'incomplete':
      return 'it holds only the newer part of a history; make it with `git bundle create FILE HEAD main`';
  }
}
