import { isDeepStrictEqual } from 'node:util';
import { WikiError } from '../../../contract/errors.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { isHostilePath } from '../../paths/hostile-path.ts';
import type { Session } from '../../session.ts';

export async function setRemote(
  { repository }: Session,
  { remote }: Input<'set_remote'>,
): Promise<Output<'set_remote'>> {
  if (remote !== null && holdsSecret(remote.url)) throw secretInUrl();
  if (remote?.folder !== undefined && isHostilePath(remote.folder)) throw hostileFolder(remote.folder);
  const before = await repository.remote.settings();
  if (isDeepStrictEqual(before, remote)) return { changed: false };
  await repository.remote.set(remote);
  return { changed: true };
}

/** The user of an ssh address is no secret. */
function holdsSecret(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  return (
    url.password !== '' || (/^https?:$/.test(url.protocol) && (url.username !== '' || url.search !== ''))
  );
}

function secretInUrl(): WikiError {
  return new WikiError('invalid_input', {
    happened: 'The address of the remote holds a user name, a password or a query.',
    now: 'Nothing was changed, and the address was not kept.',
    next: 'Give the address without them, and the place of the token apart from it.',
  });
}

function hostileFolder(folder: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `${JSON.stringify(folder)} is a name that git keeps for itself on some system.`,
    now: 'Nothing was changed.',
    next: 'Name another folder.',
  });
}
