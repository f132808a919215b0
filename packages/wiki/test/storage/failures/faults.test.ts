import { expect, test, vi } from 'vitest';
import type { Fault } from '../file-systems/faulty-file-system.ts';
import { failAtEachCall } from './fault-points.ts';
import { SITUATIONS } from './situations.ts';

// Many short steps, each with a native git of its own: long on a machine that does other things too.
vi.setConfig({ testTimeout: 1_800_000 });

const WRITE = SITUATIONS.filter(({ name }) => name === 'a write and the move of its ref');

/** An error after which the call may have been made, one after which it was not, one that NFS cures. */
const FAULTS: Omit<Fault, 'at'>[] = [
  { error: 'EIO', moment: 'before' },
  { error: 'EIO', moment: 'after' },
  { error: 'ENOSPC', moment: 'lasting' },
  { error: 'ESTALE', moment: 'before' },
];
const CASES = WRITE.flatMap((situation) => FAULTS.map((fault) => ({ situation, ...fault })));

test.for(CASES)(
  '$error ($moment) at each call of a write loses nothing and is reported by name',
  async ({ situation, error, moment }, { annotate }) => {
    const answers = await failAtEachCall(situation, [{ error, moment }]);
    expect([...answers.keys()]).toContain(error === 'ENOSPC' ? 'out_of_space' : 'io_error');
    await annotate([...answers].map(([answer, times]) => `${times} x ${answer}`).join(', '));
  },
);
