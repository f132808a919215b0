import { join } from 'node:path';
import { cureByPerson, type ErrorText, noSuchWiki, WikiError } from '../../contract/errors.ts';
import { DEFAULT_WIKI } from './default-wiki.ts';
import { directoryOf } from './wiki-place.ts';

/** The default wiki as chosen at the start. */
export interface DefaultWiki {
  name: string;
  /** True if the directory records it, false if the caller chose it. */
  isRecorded: boolean;
  /** True if the caller chose it for this start. */
  isGiven: boolean;
}

/** The error that lists the existing wikis and says if the default one is gone. */
export function wikiNotFound(
  name: string,
  directory: string,
  present: readonly string[],
  defaultWiki: DefaultWiki | null,
): WikiError {
  const isGone = defaultWiki?.isRecorded === true && name === defaultWiki.name;
  if (!isGone && present.length > 0) return noSuchWiki(name, present, defaultWiki?.name ?? null);
  const there = present.length === 0 ? 'There is no wiki there.' : `There are: ${present.join(', ')}.`;
  return new WikiError(
    'not_found',
    {
      happened: isGone
        ? `The default wiki ${JSON.stringify(name)} is not in ${directory} any more.`
        : `There is no wiki ${JSON.stringify(name)}.`,
      now: isGone ? `${there} None was made in its place.` : there,
      ...(isGone ? bringBack(directory, name, present) : MAKE_ONE),
    },
    { wikis: present },
  );
}

type Next = Pick<ErrorText, 'next' | 'atTerminal'>;

const MAKE_ONE = cureByPerson(
  'Start the server there once, which makes a wiki, or bring pages in by the command `import`.',
);

function bringBack(directory: string, name: string, present: readonly string[]): Next {
  const cure = `Put ${directoryOf(name)} back, or write the name of another wiki into ${join(directory, DEFAULT_WIKI)}.`;
  const pass = present[0] === undefined ? '' : `Pass wiki: ${JSON.stringify(present[0])}. `;
  return { ...cureByPerson(cure), next: `${pass}${cureByPerson(cure).next}` };
}
