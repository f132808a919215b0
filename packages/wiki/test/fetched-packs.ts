import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Repository } from '../src/core/ports.ts';
import { BEGINNING, type FetchRequest } from '../src/core/transport-port.ts';
import type { Oid } from '../src/formats/oid.ts';
import { git } from './native-git.ts';

/** Fetches from a repository of ours, part by part, into one of native git. */

export const EVERYTHING: Omit<FetchRequest, 'wants'> = {
  ...{ haves: [], isFinal: true, shallow: [], depth: null, fromShallow: false, since: null, mayBeThin: true },
  filter: { blobBytes: Number.POSITIVE_INFINITY, trees: false },
};

export type Plan = Awaited<ReturnType<Repository['sending']['plan']>>;

export function part({ pack }: Plan, from = BEGINNING, most = 1e8) {
  if (pack === null) throw new Error('There is no pack.');
  return pack.part(from, most);
}

export async function fetchInto(
  client: string,
  repository: Repository,
  asked: Partial<FetchRequest> & { wants: Oid[] },
  partBytes = 1e6,
): Promise<number> {
  return store(client, await repository.sending.plan({ ...EVERYTHING, ...asked }, {}), partBytes);
}

/** Has native git take the pack, and returns how many objects it has. */
export async function store(
  client: string,
  plan: Plan,
  partBytes = 1e6,
  afterPart: (plan: Plan) => Promise<Plan> = async (same) => same,
): Promise<number> {
  const objects = plan.pack?.objects ?? 0;
  let planned = plan;
  const parts: Uint8Array[] = [header(objects)];
  let at = BEGINNING;
  while (at.object < objects) {
    const { entries, next } = await part(planned, at, partBytes);
    expect(entries.length).toBeLessThanOrEqual(partBytes);
    parts.push(entries);
    at = next;
    planned = await afterPart(planned);
  }
  const body = Buffer.concat(parts);
  const pack = Buffer.concat([body, createHash('sha1').update(body).digest()]);
  if (plan.shallow.length === 0) git(client, ['index-pack', '--stdin', '--fix-thin', '--strict'], pack);
  else git(client, ['unpack-objects', '-q'], pack);
  expect(existsSync(join(client, 'shallow'))).toBe(false);
  expect(readFileSync(join(client, 'HEAD'), 'utf8')).toContain('main');
  return objects;
}

function header(objects: number): Uint8Array {
  const bytes = Buffer.alloc(12);
  bytes.write('PACK');
  bytes.writeUInt32BE(2, 4);
  bytes.writeUInt32BE(objects, 8);
  return bytes;
}
