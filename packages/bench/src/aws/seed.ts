import { invoke } from '../studies/invoke.ts';
import { fileOf, type Store, stores } from '../studies/jitter/record.ts';
import { type Aws, attempt } from './aws.ts';
import type { SeedRequest } from './functions/seed-main.ts';
import { listObjects } from './objects.ts';
import { FUNCTIONS } from './stack/names.ts';
import type { Talk } from './talk.ts';

/** Has the seeding function make the files that are not there, on both stores at once. Repeated, it goes on. */
export async function seedFiles(aws: Aws, sizesMib: readonly number[], { say }: Talk): Promise<void> {
  const objects = await listObjects(aws, '');
  const there = new Set(objects.map(({ key, bytes }) => `${key} ${bytes}`));
  const seedStore = async (store: Store) => {
    for (const size of sizesMib) {
      if (store === 's3' && there.has(`${fileOf(size)} ${size * 2 ** 20}`)) continue;
      await attempt(`make the file of ${size} MiB on ${store}`, () =>
        invoke(aws.lambda, FUNCTIONS.seed, { store, size_mib: size } satisfies SeedRequest),
      );
      say(`A file of ${size} MiB is on ${store === 'efs' ? 'EFS' : 'S3'}.`);
    }
  };
  await Promise.all(stores.map(seedStore));
}
