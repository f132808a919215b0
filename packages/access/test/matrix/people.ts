import type { Person } from '../../src/rights.ts';

export const WIKIS = ['atlas', 'lumen', 'team', 'umbra'] as const;
export type WikiName = (typeof WIKIS)[number];
/** The wiki that is configured as the default. */
export const CONFIGURED_DEFAULT = 'team';
/** A wiki that calls name and that does not exist. */
export const NOWHERE = 'nowhere';

/** The folders of each wiki. The empty one stands for the pages at the top. */
export const PLACES = ['', 'Guides/', 'Guides/Deep/', 'GuidesX/', 'Private/', 'Drafts/'] as const;
export type Place = (typeof PLACES)[number];

export const ACCESS = JSON.stringify({
  version: 1,
  rules: [
    { people: ['Ada@example.org'], wikis: ['team'], may: 'write' },
    { groups: ['editors'], wikis: ['team'], folders: ['Guides/'], may: 'write' },
    { groups: ['editors', 'readers'], wikis: ['atlas'], may: 'read' },
    { people: ['grace@example.org'], wikis: ['atlas'], folders: ['Drafts/'], may: 'write' },
    { people: ['sub:alan|7'], wikis: ['team', 'lumen'], folders: ['Private/', 'Guides/Deep/'], may: 'read' },
    { people: ['sub:alan|7'], wikis: ['team'], folders: ['Drafts/'], may: 'write' },
    { groups: ['readers'], wikis: ['*'], folders: ['Guides/'], may: 'read' },
    { people: ['olive@example.org'], wikis: ['lumen'], may: 'administer' },
    { people: ['olive@example.org'], wikis: ['*'], folders: ['Guides/Deep/', 'GuidesX/'], may: 'write' },
    { everyone: true, wikis: ['atlas'], folders: ['Guides/'], may: 'read' },
  ],
});

const issuer = 'https://issuer.example';

export const PEOPLE = {
  ada: { issuer, subject: 'ada|1', email: 'ada@example.org', name: 'Ada', groups: [] },
  grace: { issuer, subject: 'grace|2', email: 'grace@example.org', name: 'Grace', groups: ['editors'] },
  alan: { issuer, subject: 'alan|7', email: null, name: 'Alan', groups: ['others'] },
  edith: { issuer, subject: 'edith|3', email: 'edith@example.org', name: 'Edith', groups: ['readers', 'x'] },
  olive: { issuer, subject: 'olive|4', email: 'olive@example.org', name: 'Olive', groups: [] },
  /** Calls herself like others. */
  eve: {
    issuer,
    subject: 'alan',
    email: null,
    name: 'ada@example.org',
    groups: ['Editors', 'olive@example.org'],
  },
} satisfies Record<string, Person>;
export type PersonName = keyof typeof PEOPLE;

/** The places in one wiki that a person may read and write. */
export interface May {
  read: readonly Place[];
  write: readonly Place[];
  administer?: true;
}

const EVERYTHING = PLACES;
const ATLAS_OF_EVERYONE: May = { read: ['Guides/', 'Guides/Deep/'], write: [] };
const EDITH_ANYWHERE: May = { read: ['Guides/', 'Guides/Deep/'], write: [] };
const OLIVE_ANYWHERE: May = { read: ['Guides/Deep/', 'GuidesX/'], write: ['Guides/Deep/', 'GuidesX/'] };

/** The meaning of the rules above, worked out by hand. A wiki that is missing here must not seem to be there. */
export const MAY: Record<PersonName, Partial<Record<WikiName | typeof NOWHERE, May>>> = {
  ada: {
    atlas: ATLAS_OF_EVERYONE,
    team: { read: EVERYTHING, write: EVERYTHING },
  },
  grace: {
    atlas: { read: EVERYTHING, write: ['Drafts/'] },
    team: { read: ['Guides/', 'Guides/Deep/'], write: ['Guides/', 'Guides/Deep/'] },
  },
  alan: {
    atlas: ATLAS_OF_EVERYONE,
    lumen: { read: ['Private/', 'Guides/Deep/'], write: [] },
    team: { read: ['Private/', 'Guides/Deep/', 'Drafts/'], write: ['Drafts/'] },
  },
  edith: {
    atlas: { read: EVERYTHING, write: [] },
    lumen: EDITH_ANYWHERE,
    team: EDITH_ANYWHERE,
    umbra: EDITH_ANYWHERE,
    nowhere: EDITH_ANYWHERE,
  },
  olive: {
    atlas: { read: ['Guides/', 'Guides/Deep/', 'GuidesX/'], write: ['Guides/Deep/', 'GuidesX/'] },
    lumen: { read: EVERYTHING, write: EVERYTHING, administer: true },
    team: OLIVE_ANYWHERE,
    umbra: OLIVE_ANYWHERE,
    nowhere: OLIVE_ANYWHERE,
  },
  eve: { atlas: ATLAS_OF_EVERYONE },
};

/** The wiki of calls that name none. */
export const DEFAULT_OF: Record<PersonName, WikiName> = {
  ada: 'team',
  grace: 'team',
  alan: 'team',
  edith: 'team',
  olive: 'team',
  eve: 'atlas',
};
