import { expect, test } from 'vitest';
import { MAX_YAML_CHARACTERS, parseFrontmatter } from '../../src/core/text/frontmatter/frontmatter.ts';
import { cpuMsOf, slowness } from '../machine-speed.ts';
import { hostileTexts } from './hostile-texts.ts';
import { functions, grownTexts } from './text-growth.ts';

test.each(Object.keys(functions))('%s takes time in proportion to the length of any long text', (name) => {
  expect(grownTexts(name, 4_000)).toEqual([]);
});

const yaml: Record<string, (length: number) => string> = {
  ...hostileTexts,
  anchors: (length) => '& '.repeat(length / 2),
  directives: (length) => '%a\n'.repeat(length / 3),
  keys: (length) => Array.from({ length: length / 12 }, (_, at) => `k${at}: 1\n`).join(''),
  lists: (length) => `a: [${'[],'.repeat(length / 3 - 3)}]`,
  marks: (length) => '! '.repeat(length / 2),
};

test.each(Object.keys(yaml))('YAML as long as it may be is read in 200 ms of an idle machine: %s', (name) => {
  const text = yaml[name]?.(MAX_YAML_CHARACTERS).slice(0, MAX_YAML_CHARACTERS) ?? '';
  const used = () => cpuMsOf(() => parseFrontmatter(text)) / slowness();
  const first = used();
  expect(first < 200 ? first : Math.min(used(), used())).toBeLessThan(200);
});
