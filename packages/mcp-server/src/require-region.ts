import { WikiError } from '@pagetree/wiki/contract';

/** Throws where nothing names the region that a client of AWS would call. `place` is what is looked for there. */
export async function requireRegion(
  client: { config: { region: () => Promise<string> } },
  { place, next }: { place: string; next: string },
): Promise<void> {
  await client.config.region().catch((cause: unknown) => {
    const happened = `Nothing says in which AWS region ${place} is.`;
    const text = { happened, now: 'Nothing was read or changed.', next };
    throw new WikiError('backend_unavailable', text, {}, { cause });
  });
}
