import { expect, test } from 'vitest';
import { keepNote, parseMergeNote, parsePushNote } from './push-note.ts';

const [FROM, TO] = ['1'.repeat(40), '2'.repeat(40)];

const BY = { hostname: 'h', boot: 'b', namespace: 'n', pid: 7, started: '12' };

test('the note of a kept pack says for which push or merge it is kept', () => {
  for (const pushed of [
    { from: FROM, to: TO },
    { from: null, to: TO },
  ]) {
    expect(parsePushNote(keepNote(pushed))).toEqual(pushed);
    expect(parseMergeNote(keepNote(pushed))).toBeNull();
  }
  const merged = { merged: TO, by: BY };
  expect(parseMergeNote(keepNote(merged))).toEqual(merged);
  expect(parsePushNote(keepNote(merged))).toBeNull();
});

test('a note of another program, or one that is cut or longer, keeps nothing of ours', () => {
  const [push, merge] = [keepNote({ from: FROM, to: TO }), keepNote({ merged: TO, by: BY })];
  for (const text of [
    '',
    'fetch-pack 12 on host\n',
    `${push}more`,
    push.slice(0, -1),
    push.replace('1', 'x'),
  ])
    expect(parsePushNote(text), text).toBeNull();
  const lines = merge.split('\n');
  for (const text of [
    '',
    push,
    `${merge}more`,
    merge.slice(0, -1),
    `${lines[0]}\n`,
    `${lines[0]}\n{}\n`,
    `${lines[0]}\nno JSON\n`,
    merge.replace('2', 'x'),
  ])
    expect(parseMergeNote(text), text).toBeNull();
});
