import { expect, test } from 'vitest';
import { describeMount, findMount, mountProblems } from './mount.ts';

const efs =
  'rw,vers=4.1,rsize=1048576,wsize=1048576,namlen=255,hard,noresvport,proto=tcp,timeo=600,retrans=2,sec=sys';

function mountinfo(options: string, mountOptions = 'rw,nosuid'): string {
  return [
    '20 1 0:21 / / rw - overlay overlay rw,lowerdir=/a:/b',
    `31 20 0:45 / /mnt/pagetree ${mountOptions} shared:1 master:2 - nfs4 127.0.0.1:/ ${options}`,
    '32 20 0:46 / /mnt/page\\040tree rw - ext4 /dev/vdb rw',
    '',
  ].join('\n');
}

test('the deepest mount above the directory is found, not one with a similar name', () => {
  const text = mountinfo(efs);
  expect(findMount(text, '/mnt/pagetree')?.type).toBe('nfs4');
  expect(findMount(text, '/mnt/pagetree/wikis')?.point).toBe('/mnt/pagetree');
  expect(findMount(text, '/mnt/pagetrees')?.type).toBe('overlay');
  expect(findMount(text, '/mnt/page tree/x')?.type).toBe('ext4');
  expect(findMount('', '/mnt/pagetree')).toBeNull();
});

test('the deepest mount above the directory is found in any order of the lines', () => {
  const text = mountinfo(efs).trimEnd().split('\n').toReversed().join('\n');
  expect(findMount(text, '/mnt/pagetree/wikis')?.type).toBe('nfs4');
  expect(findMount(text, '/mnt')?.type).toBe('overlay');
});

test('if several mounts share a path, the last one counts', () => {
  const text = `${mountinfo(efs)}33 31 0:47 / /mnt/pagetree rw - tmpfs tmpfs rw\n`;
  expect(findMount(text, '/mnt/pagetree')?.type).toBe('tmpfs');
});

test('the mount options of EFS have no problem', () => {
  const mount = findMount(mountinfo(efs), '/mnt/pagetree');
  expect(mountProblems(mount, '/mnt/pagetree', false)).toEqual([]);
  expect(mount && describeMount(mount)).toBe(
    'nfs4 rw vers=4.1 rsize=1048576 wsize=1048576 hard noresvport timeo=600 retrans=2',
  );
});

test.each([
  [efs.replace('hard', 'soft'), /can lose a write/],
  [efs.replace('4.1', '4.0'), /with NFS 4\.0/],
  [efs.replace(',noresvport', ''), /without "noresvport"/],
  [efs.replace('rsize=1048576', 'rsize=131072'), /rsize=131072/],
  [efs.replace('wsize=1048576', 'wsize=65536'), /wsize=65536/],
  [efs.replace('rw', 'ro'), /is mounted read-only/],
])('%s has one problem', (options, problem) => {
  const problems = mountProblems(findMount(mountinfo(options), '/mnt/pagetree'), '/mnt/pagetree', false);
  expect(problems).toEqual([expect.stringMatching(problem)]);
  const mount = findMount(mountinfo(options), '/mnt/pagetree');
  // The status shows what is wrong as it is mounted.
  const shown = mount === null ? '' : describeMount(mount);
  for (const option of options.split(',').slice(0, 7))
    expect(shown.includes(option)).toBe(!option.startsWith('namlen') && !option.startsWith('proto'));
});

test('a mount that is read-only by itself is reported as read-only, and is right for a reader', () => {
  const mount = findMount(mountinfo(efs, 'ro,nosuid'), '/mnt/pagetree');
  expect(mount && describeMount(mount)).toMatch(/^nfs4 vers.* ro$/);
  expect(mountProblems(mount, '/mnt/pagetree', true)).toEqual([]);
  expect(mountProblems(mount, '/mnt/pagetree', false)).toHaveLength(1);
});

test('a directory on a local disk is reported, as no other machine sees it', () => {
  expect(mountProblems(findMount(mountinfo(efs), '/tmp'), '/tmp', false)).toEqual([
    '/tmp lies on overlay, not on NFS: other machines do not see this wiki, and on Lambda it is lost with its environment.',
  ]);
  expect(mountProblems(null, '/tmp', false)).toEqual([expect.stringMatching(/an unknown file system/)]);
});
