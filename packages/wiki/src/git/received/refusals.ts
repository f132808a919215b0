import { WikiError } from '../../contract/errors.ts';
import { broken, historyTooLarge, refusedObject } from './bounds.ts';

/** The errors for a history from elsewhere, in the words of the way by which it came. */
export interface Refusals {
  /** It is damaged or incomplete: `invalid_input`. */
  broken(reason: string, cause?: unknown): WikiError;
  /** A delta rests on an object that is not there. */
  baseMissing(): WikiError;
  /** An object that `git fsck --strict` refuses. */
  refusedObject(type: string, oid: string, text: string): WikiError;
  tooLarge(what: string): WikiError;
  /** The command that makes shorter chains of deltas. */
  withLessDepth: string;
}

export const OF_BUNDLE: Refusals = {
  broken,
  baseMissing: () => broken('its pack is damaged: a delta rests on an object that is not in it'),
  refusedObject,
  tooLarge: historyTooLarge,
  withLessDepth: '`git -c pack.depth=50 bundle create`',
};

export const OF_PUSH: Refusals = {
  broken: pushBroken,
  baseMissing: () =>
    pushBroken('its pack is damaged: a delta rests on an object that is neither in it nor in the wiki'),
  refusedObject: (type, oid, text) =>
    new WikiError(
      'invalid_input',
      {
        happened: `The push is refused: the ${type} ${oid} would be refused by git: ${text}.`,
        now: NOTHING_TAKEN,
        next: 'Look for it with `git fsck --strict`, make the commits without it, and push these.',
      },
      { object: oid },
    ),
  tooLarge: (what) =>
    new WikiError('too_large', {
      happened: `The push is too large: ${what}.`,
      now: NOTHING_TAKEN,
      next: 'Push fewer commits at once, the oldest ones first.',
    }),
  withLessDepth: '`git -c pack.depth=50 push`',
};

const NOTHING_TAKEN = 'Nothing was taken into the wiki.';

function pushBroken(reason: string, cause?: unknown): WikiError {
  return new WikiError(
    'invalid_input',
    {
      happened: `The push is refused: ${reason}.`,
      now: NOTHING_TAKEN,
      next: 'Check the repository with `git fsck`, then push again.',
    },
    {},
    { cause },
  );
}
