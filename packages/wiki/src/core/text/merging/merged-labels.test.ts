import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { atOnce } from '../../../scheduling/in-turns.ts';
import { distinctLabels } from './merged-labels.ts';

test('two pages of many definitions take time in proportion to their length', () => {
  const page = (name: string) => Array.from({ length: 10_000 }, (_, at) => `[${name}${at}]: /x\n`).join('\n');
  const merge = () => atOnce(distinctLabels(page('a'), page('b')));
  expect(idleCpuMsOf(merge)).toBeLessThan(1_000);
});
