import { join } from 'node:path';
import { cureByPerson, type ErrorText, WikiError } from '../../contract/errors.ts';
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
  const there = present.length === 0 ? 'There is no wiki there.' : `There are: ${present.join(', ')}.`;
  return new WikiError(
    'not_found',
    {
      happened: isGone
        ? `The default wiki ${JSON.stringify(name)} is not in ${directory} any more.`
        : `There is no wiki ${JSON.stringify(name)}.`,
      now: isGone ? `${there} None was made in its place.` : there,
      ...(isGone ? bringBack(directory, name, present) : nameAnother(present, defaultWiki)),
    },
    { wikis: present },
  );
}

type Next = Pick<ErrorText, 'next' | 'atTerminal'>;

function bringBack(directory: string, name: string, present: readonly string[]): Next {
  const cure = `Put ${directoryOf(name)} back, or write the name of another wiki into ${join(directory, DEFAULT_WIKI)}.`;
  const pass = present[0] === undefined ? '' : `Pass wiki: ${JSON.stringify(present[0])}. `;
  return { ...cureByPerson(cure), next: `${pass}${cureByPerson(cure).next}` };
}

function nameAnother(present: readonly string[], defaultWiki: DefaultWiki | null): Next {
  const [first] = present;
  if (first === undefined) {
    return cureByPerson(
      'Start the server there once, which makes a wiki, or bring pages in by the command `import`.',
    );
  }
  const pass = `Pass wiki: ${JSON.stringify(first)}`;
  const atTerminal = `Name another one, as --wiki ${first}.`;
  if (defaultWiki === null) return { next: `${pass}.`, atTerminal };
  if (present.includes(defaultWiki.name)) {
    return { next: `${pass}, or leave wiki out for the default one.`, atTerminal };
  }
  return {
    next: `${pass}. Where none is named, ${JSON.stringify(defaultWiki.name)} is meant: ask the person who runs this to name another.`,
    atTerminal,
  };
}
