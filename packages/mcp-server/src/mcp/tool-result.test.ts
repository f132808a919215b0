import { WikiError } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { errorResult, successResult } from './tool-result.ts';

const text = { happened: 'The page changed.', now: 'Nothing was written.', next: 'Read it again.' };

test('a success has its text, and its structured form only for a program', () => {
  const output = { wikis: ['main'], default: 'main' };
  const content = [{ type: 'text', text: JSON.stringify(output) }];
  expect(successResult('list_wikis', output, false)).toEqual({ content });
  expect(successResult('list_wikis', output, true)).toEqual({ content, structuredContent: output });
});

test('an error has its sentences and the remaining facts as text, and no structured content', () => {
  const error = new WikiError(
    'version_conflict',
    { ...text, next: 'Read it again. The change:\n-old\n+new' },
    { diff: '-old\n+new', version: 'abc', lines: [3, 5], agent: null, retry_after_ms: 50 },
  );
  expect(errorResult(error)).toEqual({
    isError: true,
    content: [
      {
        type: 'text',
        text: 'version_conflict: The page changed. Nothing was written. Read it again. The change:\n-old\n+new\nversion: abc\nretry_after_ms: 50',
      },
    ],
  });
});

test('an error stays below the size at which clients cut, and says if it was shortened', () => {
  const { content } = errorResult(new WikiError('version_conflict', text, { diff: '+😀\n'.repeat(10_000) }));
  const said = content[0]?.text ?? '';
  expect(said.length).toBeLessThan(11_000);
  expect(said).toMatch(/\[cut here: the whole is longer\]$/);
  expect(said.isWellFormed()).toBe(true);
  expect(said).toMatch(/^diff: "(?:\+😀\\n){1000,}.{0,3}"\n\[cut/m);
});

test('text of a page that is cut keeps its end mark, so that the note about it stands outside', () => {
  const marked = `[page text 0123456789ab begins]\n${'evil\n'.repeat(5_000)}[0123456789ab ends]`;
  const { content } = errorResult(new WikiError('version_conflict', { ...text, happened: marked }));
  expect(content[0]?.text).toMatch(/evil\n.*\n\[0123456789ab ends\]\n\[cut here/);
});
