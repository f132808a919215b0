import { toWikiError, WikiError } from '../../../contract/errors.ts';
import type { Output } from '../../../contract/operations.ts';

/** The failure of one wiki among several, which has the name of the wiki in its data. */
export function failureIn(name: string, error: unknown): WikiError {
  const { code, text, data, cause } = toWikiError(error);
  return new WikiError(code, text, { ...data, wiki: name }, { cause });
}

/**
 * The error of a call in which wikis could not be tidied. Its cause is an AggregateError of them all, for the
 * log. It reports the progress of the round too, for those who watch it.
 */
export function tidyingFailed(
  failures: readonly [WikiError, ...WikiError[]],
  round: Output<'maintain_wiki'>['round'],
): WikiError {
  const [{ code, text, data }, ...others] = failures;
  const happened = happenedIn(failures);
  const cause = new AggregateError(failures, happened);
  if (others.length === 0) return new WikiError(code, { ...text, happened }, { ...data, round }, { cause });
  const isSame = others.every((failure) => failure.code === code);
  return new WikiError(
    isSame ? code : 'internal',
    {
      happened: `${failures.length} wikis could not be tidied. ${happened}`,
      now: 'The call went on with the other wikis.',
      next: 'Call maintain_wiki with mode check for each of them alone.',
    },
    { round },
    { cause },
  );
}

function happenedIn(failures: readonly WikiError[]): string {
  const named = failures
    .slice(0, MAX_NAMED)
    .map(({ text, data }) => `In the wiki "${data.wiki}": ${text.happened}`);
  const more = failures.length - named.length;
  return [...named, ...(more > 0 ? [`And ${more} others.`] : [])].join(' ');
}

const MAX_NAMED = 10;
