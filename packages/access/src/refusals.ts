import { type OperationName, WikiError } from '@pagetree/wiki/contract';

/** For a person who may see no wiki. Says no more about one that is there than about one that is not. */
export function noWikiToSee(named: string | undefined): WikiError {
  return new WikiError(
    'not_found',
    {
      happened:
        named === undefined ? 'There is no wiki for you here.' : `There is no wiki ${JSON.stringify(named)}.`,
      now: 'There is no wiki that you may see.',
      next: 'Ask the person who runs this server for rights.',
    },
    { wikis: [] },
  );
}

/** For a write in a wiki where the person may change nothing at all. */
export function mayOnlyRead(read: readonly string[], wiki: string): WikiError {
  return new WikiError(
    'forbidden',
    {
      happened: `You may read ${placesOf(read, wiki)}, not change it.`,
      now: 'Nothing was looked at or changed.',
      next: 'Ask the person who runs this server for the right to write there.',
    },
    { wiki },
  );
}

/** @param wiki Null if the call is about no wiki that is there. */
export function administratorsOnly(operation: OperationName, wiki: string | null): WikiError {
  const where = wiki === null ? 'this server' : `the wiki ${JSON.stringify(wiki)}`;
  return new WikiError(
    'forbidden',
    {
      happened: `This use of ${operation} is for people who administer ${where}, and you do not.`,
      now: 'Nothing was looked at or changed.',
      next: 'Ask the person who runs this server to do it.',
    },
    wiki === null ? {} : { wiki },
  );
}

/** For a call that limits itself to folders of which the person may see none. */
export function nothingInCommon(read: readonly string[], wiki: string): WikiError {
  return new WikiError(
    'forbidden',
    {
      happened: `The call is limited to folders of which you may see none: you may read ${placesOf(read, wiki)}.`,
      now: 'Nothing was looked at or changed.',
      next: 'Limit the call to folders in there, or not at all.',
    },
    { wiki },
  );
}

function placesOf(folders: readonly string[], wiki: string): string {
  const whole = `the wiki ${JSON.stringify(wiki)}`;
  if (folders.includes('')) return whole;
  return `${folders.map((folder) => JSON.stringify(folder)).join(', ')} in ${whole}`;
}
