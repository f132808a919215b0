import { expect, test } from 'vitest';
import { FAULTS, type Fault, type FaultName } from '../file-systems/faulty-file-system.ts';
import { failAtEachCall } from './fault-points.ts';
import { SOME_SITUATIONS } from './situations.ts';
import { everySituation } from './situations-config.ts';

const MOMENTS: Fault['moment'][] = ['before', 'lasting'];
const EACH = (Object.keys(FAULTS) as FaultName[]).flatMap((error) =>
  MOMENTS.map((moment) => ({ error, moment })),
);

// The last of them has so many calls that it takes longer than the others together.
test.for(everySituation ? SOME_SITUATIONS : SOME_SITUATIONS.slice(0, 2))(
  'each error at each call of $name loses nothing and is reported by name',
  async (situation, { annotate }) => {
    const answers = await failAtEachCall(situation, EACH);
    expect(answers.size).toBeGreaterThan(3);
    await annotate([...answers].map(([answer, times]) => `${times} x ${answer}`).join(', '));
  },
);
