import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../test/machine-speed.ts';
import { wordsSaid } from './said-alike.ts';

test.each([
  ['Backups are kept.', '> **BACKUPS** are `kept`!'],
  ['See [the plan](Plan.md), then go', 'See [[Other|the plan]]; then go'],
  ['He said "yes" (twice)', 'He said “yes” twice'],
  ['- one\n- two', '* one\n* two'],
  ['备份保留三十天。', '备份保留三十天'],
])('%j says the same as %j', (one, other) => {
  expect(wordsSaid(one)).toBe(wordsSaid(other));
});

test.each([
  ['must be given', 'must not be given'],
  ['is not encrypted', 'is now encrypted'],
  ['always allowed', 'always forbidden'],
  ['darf nie geändert werden', 'darf nie gelöscht werden'],
  ['可以访问', '不可以访问'],
  ['must be given', '~~must be given~~'],
  ['at -5 degrees', 'at 5 degrees'],
  ['version 1.5', 'version 15'],
  ['a != b', 'a = b'],
  ['if !ready', 'if ready'],
  ['✅ deploys', '❌ deploys'],
  ['- [x] deploy', '- [ ] deploy'],
  ['must be given', 'It is false that they must be given'],
  ['Ada pays Bob', 'Bob pays Ada'],
])('%j may contradict %j', (one, other) => {
  expect(wordsSaid(one)).not.toBe(wordsSaid(other));
});

test('a long run of signs takes no longer than other text', () => {
  const signs = ['.', '-', '](', '[[', '> ', '*', '# '];
  const texts = signs.map((sign) => `${sign.repeat(20_000 / sign.length - 1)}x`);
  expect(idleCpuMsOf(() => texts.map(wordsSaid))).toBeLessThan(200);
});
