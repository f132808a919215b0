import { WikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { starterPages } from '../../pages/starter-pages.ts';
import type { Repository } from '../../ports.ts';
import { type DirectorySession, nobodySees } from '../../session.ts';
import { type Apply, type Landed, land } from '../../writing/write.ts';

/** The first commit carries the request id, so that a repeated request finds the wiki that it made. */
export async function createWiki(
  session: DirectorySession,
  input: Input<'create_wiki'>,
): Promise<Output<'create_wiki'>> {
  const { directory } = session;
  const landOn = (repository: Repository, apply: Apply, { committed }: typeof nobodySees = session) =>
    land({ ...session, committed, repository }, 'create_wiki', input, apply);
  let landed: Landed | null = null;
  const isMade = await directory.create(input.wiki, async (made) => {
    const begin: Apply = async () => ({
      message: input.message ?? `Begin the wiki ${input.wiki}`,
      files: starterPages.map(({ path, content }) => ({ path, content: Buffer.from(content) })),
    });
    landed = await landOn(made, begin, nobodySees);
  });
  const { repository } = await directory.open(input.wiki);
  if (!isMade) landed = await landOn(repository, () => Promise.reject(wikiExists(input.wiki)));
  return { wiki: input.wiki, commit: landed?.commit ?? null, clone: (await repository.describe()).clone };
}

function wikiExists(name: string): WikiError {
  return new WikiError(
    'already_exists',
    {
      happened: `There is a wiki ${JSON.stringify(name)} already.`,
      now: 'Nothing was changed.',
      next: `Pass wiki: ${JSON.stringify(name)} to work in it, or choose another name.`,
    },
    { wiki: name },
  );
}
