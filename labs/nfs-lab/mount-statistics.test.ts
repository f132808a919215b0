import { expect, test } from 'vitest';
import { mountStatisticsBetween, parseMountStatistics, totalRpcs } from './mount-statistics.ts';

/** As Linux 6.1 prints them, shortened: another file system, and one NFS mount bound to two places. */
const before = mountStatistics({ read: 0, open: 1, close: 1, sequence: 0, bytesRead: 0, bytesWritten: 3 });
const after = mountStatistics({
  read: 2,
  open: 4,
  close: 4,
  sequence: 5,
  bytesRead: 1048579,
  bytesWritten: 3,
});

test('only operations that were used are counted', () => {
  expect(parseMountStatistics(before, '/mnt/efs')).toEqual({
    rpcs: { NULL: 1, WRITE: 1, OPEN: 1, CLOSE: 1, EXCHANGE_ID: 2 },
    bytesRead: 0,
    bytesWritten: 3,
  });
});

test('the difference of two readings contains only the operations between them', () => {
  const difference = mountStatisticsBetween(
    parseMountStatistics(before, '/mnt/efs'),
    parseMountStatistics(after, '/mnt/efs'),
  );
  expect(difference).toEqual({
    rpcs: { READ: 2, OPEN: 3, CLOSE: 3, SEQUENCE: 5 },
    bytesRead: 1048579,
    bytesWritten: 0,
  });
});

test('lease renewals are not part of any total', () => {
  expect(totalRpcs({ rpcs: { READ: 2, OPEN: 3, SEQUENCE: 5 }, bytesRead: 0, bytesWritten: 0 })).toBe(5);
});

test('a mount is found by its exact path', () => {
  expect(parseMountStatistics(before, '/run/efs1').rpcs).toEqual({ GETATTR: 9 });
  expect(() => parseMountStatistics(before, '/run/efs')).toThrow('No NFS mount at /run/efs.');
  expect(() => parseMountStatistics(before, '/sys')).toThrow('No NFS mount at /sys.');
});

test('truncated statistics are refused', () => {
  const cut = before.slice(0, before.lastIndexOf('per-op'));
  expect(() => parseMountStatistics(cut, '/mnt/efs')).toThrow('incomplete');
});

interface Counts {
  read: number;
  open: number;
  close: number;
  sequence: number;
  bytesRead: number;
  bytesWritten: number;
}

function mountStatistics(counts: Counts): string {
  return `device sysfs mounted on /sys with fstype sysfs
device 10.9.0.1:/ mounted on /run/efs1 with fstype nfs4 statvers=1.1
	bytes:	0 0 0 0 0 0 0 0 
	per-op statistics
	     GETATTR: 9 9 0 156 240 0 0 0 0
device 10.9.0.1:/ mounted on /mnt/efs with fstype nfs4 statvers=1.1
	opts:	rw,vers=4.1,rsize=1048576,wsize=1048576,namlen=255
	caps:	caps=0xc003c0bf,wtmult=512,dtsize=1048576,bsize=0,namlen=255
	events:	0 0 0 0 0 0 3 1 0 0 0 1 0 0 2 0 0 1 0 0 1 0 0 0 0 0 0 
	bytes:	7 3 0 0 ${counts.bytesRead} ${counts.bytesWritten} 0 1 
	RPC iostats version: 1.1  p/v: 100003/4 (nfs)
	xprt:	tcp 0 0 2 0 0 18 18 0 18 0 2 0 0
	per-op statistics
	        NULL: 1 1 0 44 24 1 0 1 0
	        READ: ${counts.read} ${counts.read} 0 0 0 0 0 0 0
	       WRITE: 1 1 0 204 184 0 0 0 0
	        OPEN: ${counts.open} ${counts.open} 0 268 348 0 0 0 0
	OPEN_CONFIRM: 0 0 0 0 0 0 0 0 0
	       CLOSE: ${counts.close} ${counts.close} 0 188 176 0 0 0 0
	 EXCHANGE_ID: 2 2 0 472 216 0 9 9 0
	    SEQUENCE: ${counts.sequence} ${counts.sequence} 0 0 0 0 0 0 0
`;
}
