import type { Input, Output } from '../../../contract/operations.ts';
import type { DirectorySession } from '../../session.ts';

export async function listWikis(
  { directory, defaultWiki }: DirectorySession,
  _input: Input<'list_wikis'>,
): Promise<Output<'list_wikis'>> {
  return { wikis: await directory.names(), default: defaultWiki };
}
