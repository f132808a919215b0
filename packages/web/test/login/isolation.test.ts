import { expect, test } from 'vitest';
import type { Answer, TestBrowser } from './browser.ts';
import { openTeam } from './team.ts';

/** People, each with the words of the pages that they may see. Every page has one word that no other page has. */
const PEOPLE = [
  { sub: 'ada', name: 'Ada Lovelace', sees: ['wordofall', 'wordofada'] },
  { sub: 'grace', name: 'Grace Hopper', sees: ['wordofall', 'wordofgrace'] },
  { sub: 'alan', name: 'Alan Turing', sees: ['wordofall'] },
  // The same rights as Alan, so that both share what is kept.
  { sub: 'edith', name: 'Edith Clarke', sees: ['wordofall'] },
  { sub: 'kay', name: 'Kay McNulty', sees: ['wordofall', 'wordofada', 'wordofgrace', 'wordofhidden'] },
  { sub: 'nobody', name: 'Nobody Yet', sees: [] },
] as const;

const WORDS = ['wordofall', 'wordofada', 'wordofgrace', 'wordofhidden'];
/** Names of pages that no page names. */
const NAMES = { wordofada: 'AdasOther', wordofgrace: 'GracesOther', wordofhidden: 'HiddenPlan' };

const RULES = [
  {
    people: ['sub:ada', 'sub:grace', 'sub:alan', 'sub:edith', 'sub:kay'],
    wikis: ['main'],
    folders: ['All/'],
    may: 'read',
  },
  { people: ['sub:ada', 'sub:kay'], wikis: ['main'], folders: ['Ada/'], may: 'write' },
  { people: ['sub:grace', 'sub:kay'], wikis: ['main'], folders: ['Grace/'], may: 'write' },
  { people: ['sub:kay'], wikis: ['hidden'], may: 'write' },
];

async function openShared() {
  const team = await openTeam({ rules: RULES });
  const { run } = team;
  const pages: [wiki: string, path: string, content: string][] = [
    // Each embeds all: what is rendered depends on who asks.
    ['main', 'All/Shared', 'wordofall\n\n![[Ada/AdasPlan]]\n\n![[Grace/GracesPlan]]\n'],
    // Its own links are the same for all.
    ['main', 'All/Outer', '![[All/Shared]]\n'],
    ['main', 'Ada/AdasPlan', 'wordofada\n'],
    ['main', 'Grace/GracesPlan', 'wordofgrace\n'],
    ['main', 'Ada/AdasOther', 'wordofada\n'],
    ['main', 'Grace/GracesOther', 'wordofgrace\n'],
    ['hidden', 'HiddenPlan', 'wordofhidden\n'],
  ];
  await run('create_wiki', { wiki: 'hidden' });
  for (const [wiki, path, content] of pages) await run('write_page', { wiki, path, content });
  return team;
}

/** The addresses that people ask for, whether they may or not. */
const ADDRESSES = [
  '/',
  '/main/',
  '/main/All/Outer',
  '/main/All/Shared',
  '/main/All/Shared?view=history',
  '/main/All/',
  '/main/Ada/AdasPlan',
  '/main/Ada/AdasPlan?view=edit',
  '/main/Ada/',
  '/main/Grace/GracesPlan',
  '/main/Grace/',
  '/hidden/HiddenPlan',
  '/hidden/',
  '/_/now',
  '/_/main/changes',
  '/_/hidden/changes',
  '/_/main/graph',
  '/_/main/graph.json',
  '/_/main/search?q=wordofada',
  '/_/main/search?q=wordofgrace',
  '/_/main/tags',
  '/_/main/problems',
];

type Person = (typeof PEOPLE)[number];

test('people at once see what is theirs alone, also with the tags of pages that others were shown', async () => {
  const { loggedIn } = await openShared();
  const browsers = await Promise.all(PEOPLE.map(({ sub, name }) => loggedIn({ sub, name })));
  const tags: { tag: string; name: string }[] = [];
  let answers = 0;
  for (const round of [0, 1, 2]) {
    const asked = ADDRESSES.flatMap((address, at) =>
      PEOPLE.map((person, who) => ({ address, person, browser: browsers[who] as TestBrowser, at: at + who })),
    );
    // Each round in another order.
    const mixed = asked.toSorted((one, other) => order(one.at, round) - order(other.at, round));
    for (let from = 0; from < mixed.length; from += 12) {
      await Promise.all(
        mixed.slice(from, from + 12).map(async ({ address, person, browser }) => {
          const known = tags[(answers * 7 + round) % Math.max(1, tags.length)];
          const answer = await browser.get(
            address,
            known === undefined ? {} : { 'if-none-match': known.tag },
          );
          if (answer.headers.etag !== undefined)
            tags.push({ tag: `${answer.headers.etag}`, name: person.name });
          answers += 1;
          if (answer.status === 304) expect(known?.name, address).toBe(person.name);
          check(answer, address, person);
        }),
      );
    }
  }
  expect(answers).toBe(3 * ADDRESSES.length * PEOPLE.length);
});

function order(at: number, round: number): number {
  return (at * 31 + round * 17) % 101;
}

function check({ status, text }: Answer, address: string, { name, sees }: Person): void {
  const where = `${name} at ${address}: ${status}`;
  expect(status, where).toBeLessThan(500);
  if (status === 304 || (status >= 300 && status < 400)) return;
  if (!address.endsWith('.json')) expect(text, where).toContain(name);
  for (const { name: other } of PEOPLE.filter((each) => each.name !== name))
    expect(text, where).not.toContain(other);
  // The field shows again what was searched for, and an error page what was asked for.
  const asked = address.split(/[/?=]/).filter((part) => part.length > 4);
  const shown = asked.reduce((rest, part) => rest.replaceAll(part, ''), text);
  const visible: readonly string[] = sees;
  for (const word of WORDS.filter((each) => !visible.includes(each))) {
    expect(shown, where).not.toContain(word);
    expect(shown, where).not.toContain(NAMES[word as keyof typeof NAMES] ?? '\0');
  }
}

test('a page with embeds is rendered for those with equal rights once, and never for others', async () => {
  const { loggedIn } = await openShared();
  const words = async (sub: string) => {
    const { text } = await (await loggedIn({ sub })).get('/main/All/Outer');
    return WORDS.filter((word) => text.includes(word));
  };
  for (const _ of ['rendered', 'kept']) {
    expect(await words('kay')).toEqual(['wordofall', 'wordofada', 'wordofgrace']);
    expect(await words('ada')).toEqual(['wordofall', 'wordofada']);
    expect(await words('grace')).toEqual(['wordofall', 'wordofgrace']);
    expect(await words('alan')).toEqual(['wordofall']);
  }
});

test('one person who asks for many pages at once does not keep others from theirs', async () => {
  const team = await openShared();
  const [ada, grace] = [
    await team.loggedIn({ sub: 'ada', name: 'Ada Lovelace' }),
    await team.loggedIn({ sub: 'grace', name: 'Grace Hopper' }),
  ];
  let [isOver, refused] = [false, 0];
  const askOnAndOn = async () => {
    while (!isOver) if ((await ada.get('/main/All/Shared')).status === 429) refused += 1;
  };
  // A hundred wait for their turn, and the others are refused. With fewer people than this, each finds a place in the end.
  const asking = Array.from({ length: 300 }, askOnAndOn);
  await expect.poll(() => refused).toBeGreaterThan(100);
  const shown: number[] = [];
  for (let round = 0; round < 20; round += 1) shown.push((await grace.get('/main/All/')).status);
  isOver = true;
  await Promise.all(asking);
  expect(shown).toEqual(Array.from({ length: 20 }, () => 200));
  // The log of the busy server names no page.
  expect(team.logged.join('\n')).toContain('busy');
  expect(team.logged.join('\n')).not.toContain('Shared');
});
