import { operations } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { selectTools, toolNames } from './tool-selection.ts';

function names(only: string | null, except: string | null = null): string[] {
  const selection = selectTools(only, except);
  return selection.kind === 'tools' ? selection.names : [selection.sentence];
}

test('without settings every tool is offered', () => {
  expect(names(null)).toEqual(toolNames);
});

test('the preset read-only offers no tool that writes, and essential offers eleven', () => {
  const reading = names('read-only');
  expect(reading).toContain('read_page');
  expect(reading).toEqual(
    toolNames.filter((name) => operations[name].effect === 'read' && name !== 'export_wiki'),
  );
  expect(names('essential')).toHaveLength(11);
});

test('presets and tools add up, and excluded tools are left out', () => {
  expect(names('get_links, wiki_status')).toEqual(['get_links', 'wiki_status']);
  expect(names('essential,wiki_status', 'move_page')).toContain('wiki_status');
  expect(names('essential,wiki_status', 'move_page')).not.toContain('move_page');
  expect(names(null, 'delete_page')).toEqual(toolNames.filter((name) => name !== 'delete_page'));
});

test.each([
  ['read_pge', null, /"read_pge"/],
  ['all', 'delete-page', /"delete-page"/],
  ['toString', null, /"toString"/],
  ['get_links', 'get_links', /no tool at all/],
])('--tools %s --except-tools %s is a mistake', (only, except, sentence) => {
  expect(selectTools(only, except)).toMatchObject({
    kind: 'mistake',
    sentence: expect.stringMatching(sentence),
  });
});
