import { existsSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The period after which a process gets its share again, as on Lambda. */
const PERIOD_US = 20_000;

/**
 * Limits a process to a share of one processor, as Lambda does by memory: 0.29 for 512 MB. Returns the
 * function that removes the limit. Needs root, and cgroups of either version.
 */
export async function rationCpu(processId: number, share: number): Promise<() => Promise<void>> {
  const quota = Math.round(share * PERIOD_US);
  const root = '/sys/fs/cgroup';
  const isVersion2 = existsSync(join(root, 'cgroup.controllers'));
  const group = join(root, isVersion2 ? '' : 'cpu', `lambda-lab-${processId}`);
  await mkdir(group);
  if (isVersion2) await writeFile(join(group, 'cpu.max'), `${quota} ${PERIOD_US}`);
  else {
    await writeFile(join(group, 'cpu.cfs_period_us'), `${PERIOD_US}`);
    await writeFile(join(group, 'cpu.cfs_quota_us'), `${quota}`);
  }
  await writeFile(join(group, 'cgroup.procs'), `${processId}`);
  return () => rmdir(group);
}
