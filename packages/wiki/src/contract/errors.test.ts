import { expect, test } from 'vitest';
import { absenceIn, errorCodes, WikiError } from './errors.ts';

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
