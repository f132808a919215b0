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

const NOTHING_TAKEN = 'Nothing was taken into the wiki.';

export const OF_PUSH = refusalsOf('push', {
  ofBroken: 'Check the repository with `git fsck`, then push again.',
  ofObject: 'Look for it with `git fsck --strict`, make the commits without it, and push these.',
  ofSize: 'Push fewer commits at once, the oldest ones first.',
  withLessDepth: '`git -c pack.depth=50 push`',
});

export const OF_MERGE = refusalsOf('merge', {
  ofBroken: 'Check the other repository with `git fsck`, then merge again.',
  ofObject: 'Look for it in the other repository with `git fsck --strict`, and make its commits without it.',
  ofSize: 'Merge an older commit of the other repository first.',
  withLessDepth: '`git -c pack.depth=50 repack -adf` in the other repository',
});

interface NextSteps {
  ofBroken: string;
  ofObject: string;
  ofSize: string;
  withLessDepth: string;
}

function refusalsOf(what: string, { ofBroken, ofObject, ofSize, withLessDepth }: NextSteps): Refusals {
  const refused = (reason: string, next: string) => ({
    happened: `The ${what} is refused: ${reason}.`,
    now: NOTHING_TAKEN,
    next,
  });
  const isBroken = (reason: string, cause?: unknown) =>
    new WikiError('invalid_input', refused(reason, ofBroken), {}, { cause });
  return {
    broken: isBroken,
    baseMissing: () =>
      isBroken('its pack is damaged: a delta rests on an object that is neither in it nor in the wiki'),
    refusedObject: (type, object, text) =>
      new WikiError(
        'invalid_input',
        refused(`the ${type} ${object} would be refused by git: ${text}`, ofObject),
        { object },
      ),
    tooLarge: (reason) =>
      new WikiError('too_large', {
        happened: `The ${what} is too large: ${reason}.`,
        now: NOTHING_TAKEN,
        next: ofSize,
      }),
    withLessDepth,
  };
}
