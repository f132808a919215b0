import { createCipheriv, createHash } from 'node:crypto';
import { basename } from 'node:path';
import { expect } from 'vitest';

const calls = new Map<string, number>();

/**
 * So many bytes that do not compress. Each call in a test file returns others, and each run of the file returns the same
 * again, so that what fails because of them fails again.
 */
export function noise(bytes: number): Buffer {
  const file = basename(expect.getState().testPath ?? '');
  const call = (calls.get(file) ?? 0) + 1;
  calls.set(file, call);
  const key = createHash('sha256').update(`${file} ${call}`).digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(bytes));
}
