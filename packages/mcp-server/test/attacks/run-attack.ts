import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, callTool, type Outcome, type Targets } from './attack.ts';
import { Meter, mainThreadMs } from './meter.ts';

export interface AttackRow extends Outcome {
  name: string;
  cpuMs: number;
  wallMs: number;
  peakMb: number;
  grownMb: number;
  /**
   * The longest interval between two answers to a reader of another wiki, in CPU time of the event loop's
   * thread.
   */
  stallMs: number;
  /** The factor by which this machine was slower than an idle one, if the times were corrected by it. */
  slower: number;
}

let rounds = 0;

/** Runs the attack, while another wiki of the same process is read repeatedly. */
export async function runAttack(targets: Targets, attack: Attack): Promise<AttackRow> {
  rounds += 1;
  const pid = pidOf(targets, attack);
  const meter = new Meter(pid);
  let isOver = false;
  const attacking = attack.act(targets, `r${rounds}`).finally(() => {
    isOver = true;
  });
  // The code below that awaits it gets the error; the reader goes first.
  attacking.catch(() => undefined);
  let stallMs = 0;
  let beforeMs = mainThreadMs(pid);
  do {
    await readOther(targets, attack);
    stallMs = Math.max(stallMs, mainThreadMs(pid) - beforeMs);
    beforeMs = mainThreadMs(pid);
    // The thread's work in the pause counts too: it may be the beginning of a stall.
    for (let pause = 0; pause < MAX_PAUSES && !isOver; pause += 1) {
      await sleep(PAUSE_MS);
      if (mainThreadMs(pid) - beforeMs > WORK_MS) break;
    }
  } while (!isOver);
  const outcome = await attacking;
  return { ...outcome, ...meter.read(), name: attack.name, stallMs, slower: 1 };
}

/**
 * Each read takes CPU time of its own, which counts as the attack's. So a read follows only after some work
 * of the thread, and less often if a busy machine slows that work down.
 */
const WORK_MS = 8;
const PAUSE_MS = 2;
const MAX_PAUSES = 20;

function pidOf(targets: Targets, { on }: Attack): number {
  if (on === 'web') return targets.web.pid;
  const pid = on === 'raw' ? targets.raw.process.pid : targets[on].transport.pid;
  if (pid == null) throw new Error('The server has ended.');
  return pid;
}

let reads = 0;

async function readOther(targets: Targets, { on }: Attack): Promise<void> {
  if (on === 'raw') {
    reads += 1;
    const id = `other-${reads}`;
    targets.raw.send({ id, method: 'ping' });
    await targets.raw.answerTo(id);
    return;
  }
  if (on === 'web') {
    const response = await fetch(`${targets.web.address}/other/Home`);
    if (!response.ok) throw new Error(`Another wiki could not be shown: ${await response.text()}`);
    await response.arrayBuffer();
    return;
  }
  const path = on === 'limited' ? 'notes/Fine' : 'Home';
  const { code, text } = await callTool(targets[on], 'read_page', { wiki: 'other', path });
  if (code !== 'ok') throw new Error(`Another wiki could not be read: ${text}`);
}
