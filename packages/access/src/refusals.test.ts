import { expect, test } from 'vitest';
import { administratorsOnly, mayOnlyRead, nothingInCommon, noWikiToSee } from './refusals.ts';

test('a refusal says what the person may do and whom to ask, and hides what they may not see', () => {
  const ask = (what: string) => `Ask the person who runs this server ${what}`;
  const untouched = 'Nothing was looked at or changed.';
  const said = ({ code, text, data }: ReturnType<typeof noWikiToSee>) => [code, Object.values(text), data];
  const unseen = 'There is no wiki that you may see.';
  expect(said(noWikiToSee(undefined))).toEqual([
    ...['not_found', ['There is no wiki for you here.', unseen, ask('for rights.')], { wikis: [] }],
  ]);
  expect(said(noWikiToSee('a'))).toEqual([
    ...['not_found', ['There is no wiki "a".', unseen, ask('for rights.')], { wikis: [] }],
  ]);
  expect(said(mayOnlyRead([''], 'a'))).toEqual([
    'forbidden',
    ['You may read the wiki "a", not change it.', untouched, ask('for the right to write there.')],
    { wiki: 'a' },
  ]);
  const onlyOwners = (where: string) =>
    `This use of maintain_wiki is for people who administer ${where}, and you do not.`;
  expect(said(administratorsOnly('maintain_wiki', 'a'))).toEqual([
    ...['forbidden', [onlyOwners('the wiki "a"'), untouched, ask('to do it.')], { wiki: 'a' }],
  ]);
  expect(said(administratorsOnly('maintain_wiki', null))).toEqual([
    ...['forbidden', [onlyOwners('this server'), untouched, ask('to do it.')], {}],
  ]);
  const limited =
    'The call is limited to folders of which you may see none: you may read "A/", "B/" in the wiki "a".';
  expect(said(nothingInCommon(['A/', 'B/'], 'a'))).toEqual([
    ...[
      'forbidden',
      [limited, untouched, 'Limit the call to folders in there, or not at all.'],
      { wiki: 'a' },
    ],
  ]);
});
