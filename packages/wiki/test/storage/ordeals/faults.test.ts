import { expect, test } from 'vitest';
import type { Fault } from '../file-systems/faulty-file-system.ts';
import { failAnOrdeal } from './fault-points.ts';
import { ORDEALS } from './ordeals.ts';

const ORDEAL = ORDEALS.filter(({ name }) => name === 'a write and the move of its ref');

/** An error after which the call may have been made, one after which it was not, one that NFS cures. */
const FAULTS: Omit<Fault, 'at'>[] = [
  { error: 'EIO', moment: 'before' },
  { error: 'EIO', moment: 'after' },
  { error: 'ENOSPC', moment: 'lasting' },
  { error: 'ESTALE', moment: 'before' },
];

test.for(ORDEAL)('errors at each call of $name lose nothing and are named', async (ordeal, { annotate }) => {
  const answers = await failAnOrdeal(ordeal, FAULTS);
  expect(answers.get('out_of_space')).toBeGreaterThan(5);
  await annotate([...answers].map(([answer, times]) => `${times} x ${answer}`).join(', '));
});
