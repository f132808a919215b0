import { cureByPerson, WikiError } from '@pagetree/wiki/contract';

/**
 * Throws if no setting names the region that an AWS client would call. `place` is the resource that is looked
 * for there.
 */
export async function requireRegion(
  client: { config: { region: () => Promise<string> } },
  { place, cure }: { place: string; cure: string },
): Promise<void> {
  await client.config.region().catch((cause: unknown) => {
    const happened = `Nothing says in which AWS region ${place} is.`;
    const text = { happened, now: 'Nothing was read or changed.', ...cureByPerson(cure) };
    throw new WikiError('backend_unavailable', text, {}, { cause });
  });
}
