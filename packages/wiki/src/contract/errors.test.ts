import { expect, test } from 'vitest';
import {
  absenceIn,
  cancelled,
  cureByPerson,
  errorCodes,
  nextAtTerminal,
  noSuchWiki,
  throwIfCancelled,
  toWikiError,
  WikiError,
} from './errors.ts';

const SENTENCE = expect.stringMatching(/^[A-Z].*\.$/);
const SENTENCES = { happened: SENTENCE, now: SENTENCE, next: SENTENCE, atTerminal: SENTENCE };
const text = { happened: 'It happened.', now: 'It is so.', next: 'Go on.' };

test('an error says that a thing is missing, that the question is refused, or that the wiki failed', () => {
  const answered = Object.groupBy(errorCodes, (code) => absenceIn(new WikiError(code, text)) ?? 'failed');
  expect(answered).toEqual({
    missing: ['not_found', 'no_match'],
    refused: ['ambiguous_match', 'invalid_path', 'invalid_input', 'too_large', 'forbidden'],
    failed: [
      'already_exists',
      'version_conflict',
      'would_truncate',
      'busy',
      'backend_unavailable',
      'write_state_unknown',
      'internal',
    ],
  });
});

test('a wiki that is missing, or an error of another kind, answers nothing about its pages', () => {
  expect(absenceIn(new WikiError('not_found', text, { wikis: [] }))).toBeNull();
  expect(absenceIn(new Error('The disk is gone.'))).toBeNull();
});

test('an error has a code, and says what happened, what is so now, and what to do', () => {
  const cause = new Error('The disk is gone.');
  const error = new WikiError('busy', text, { retry_after_ms: 1 }, { cause });
  expect(error).toMatchObject({ name: 'WikiError', code: 'busy', text, data: { retry_after_ms: 1 }, cause });
  expect(error.message).toBe('busy: It happened. It is so. Go on.');
  expect(toWikiError(error)).toBe(error);
});

test('a failure of any other kind is internal, keeps its cause, and does not tell it', () => {
  const cause = new Error('The disk of ada is gone.');
  const error = toWikiError(cause);
  expect(error).toMatchObject({ code: 'internal', data: {}, cause });
  expect(error.text).toEqual(SENTENCES);
  expect(JSON.stringify(error.text)).not.toContain('ada');
});

test('a person at a terminal reads what to do there, or else what everybody does', () => {
  expect(nextAtTerminal(text)).toBe('Go on.');
  expect(nextAtTerminal({ ...text, ...cureByPerson('Start it.') })).toBe('Start it.');
  expect(cureByPerson('Start it.').next).toBe('Tell the person who runs this server: Start it.');
});

test.each([
  ['two', 'Pass wiki: "one", or leave wiki out for the default one.'],
  [
    'gone',
    'Pass wiki: "one". Where none is named, "gone" is meant: ask the person who runs this to name another.',
  ],
  [null, 'Pass wiki: "one".'],
])(
  'the error for a missing wiki names those that are there, beside the default one %s',
  (defaultWiki, next) => {
    const error = noSuchWiki('"three"', ['one', 'two'], defaultWiki);
    expect(error).toMatchObject({ code: 'not_found', data: { wikis: ['one', 'two'] } });
    expect(error.text).toEqual({
      happened: 'There is no wiki "\\"three\\"".',
      now: 'There are: one, two.',
      next,
      atTerminal: 'Name another one, as --wiki one.',
    });
    expect(absenceIn(error)).toBeNull();
  },
);

test('a call that nobody waits for is busy, and nothing else is', () => {
  throwIfCancelled(undefined);
  throwIfCancelled(new AbortController().signal);
  expect(() => throwIfCancelled(AbortSignal.abort())).toThrow(cancelled());
  expect(cancelled()).toMatchObject({ code: 'busy', data: {} });
  expect(cancelled().text).toEqual(SENTENCES);
});
