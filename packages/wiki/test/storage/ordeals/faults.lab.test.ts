import { expect, test } from 'vitest';
import { FAULTS, type Fault, type FaultName } from '../file-systems/faulty-file-system.ts';
import { failAnOrdeal } from './fault-points.ts';
import { ORDEALS } from './ordeals.ts';

const SOME = [
  'a write and the move of its ref',
  'a write on a shared mount',
  'the adoption of a push beside a write',
];
const MOMENTS: Fault['moment'][] = ['before', 'lasting'];
const EACH = (Object.keys(FAULTS) as FaultName[]).flatMap((error) =>
  MOMENTS.map((moment) => ({ error, moment })),
);

test.for(ORDEALS.filter(({ name }) => SOME.includes(name)))(
  'every error at each call of $name loses nothing and is named',
  async (ordeal, { annotate }) => {
    const answers = await failAnOrdeal(ordeal, EACH);
    expect(answers.size).toBeGreaterThan(3);
    await annotate([...answers].map(([answer, times]) => `${times} x ${answer}`).join(', '));
  },
);
