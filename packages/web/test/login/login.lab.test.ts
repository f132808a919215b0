import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { browserOf, logIn, write } from './in-chromium.ts';
import { serveTeam } from './served-team.ts';
import { ORIGIN } from './team.ts';

const RULES = [
  { people: ['ada@example.org'], wikis: ['*'], may: 'write' },
  { groups: ['readers'], wikis: ['main'], folders: ['Open/'], may: 'write' },
];

async function openTeamInBrowser() {
  const team = await serveTeam(RULES);
  return { ...team, open: await browserOf(team.port) };
}

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, hasScript) => {
  test('a person logs in, writes a page, and signs out', async () => {
    const { open, wikis } = await openTeamInBrowser();
    const page = await (await open(hasScript)).newPage();
    const faults: string[] = [];
    page.on('console', (message) => {
      const isOurs = message.location().url.startsWith(ORIGIN);
      if (isOurs && message.type() === 'error') faults.push(message.text());
    });
    await logIn(page, 'ada', '/main/Open/Plan?view=edit');
    await write(page, 'Open/Plan', 'The plan of Ada.');
    expect(await page.getByRole('article').textContent()).toContain('The plan of Ada.');
    expect(git(join(wikis, 'main.git'), ['log', '-1', '--format=%an <%ae>', 'main'])).toMatch(
      /^Ada Lovelace <ada@example\.org>$/,
    );
    expect(await page.getByRole('banner').textContent()).toContain('Ada Lovelace');
    expect(faults).toEqual([]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/session\/end/);
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${ORIGIN}/_/signed-out`);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    // Nothing logs the person in again but a click.
    await page.goto('/main/Open/Plan');
    await page.getByRole('link', { name: /^Log in at/ }).waitFor();
    expect(await page.context().cookies(ORIGIN)).toEqual([]);
    for (let step = 0; step < 8; step += 1) {
      await page.goBack({ waitUntil: 'load' }).catch(() => null);
      expect(await page.textContent('body')).not.toContain('The plan of Ada.');
    }
  });
});

test('two people at once see what is theirs, also the second one at the same browser', async () => {
  const { open } = await openTeamInBrowser();
  const [one, other] = [await open(), await open()];
  const [ada, grace] = [await one.newPage(), await other.newPage()];
  await logIn(ada, 'ada', '/main/');
  await logIn(grace, 'grace', '/main/');
  await write(ada, 'Closed/Secret', 'Only for Ada.');
  await write(ada, 'Open/Shared', 'For both.\n\n![[Closed/Secret]]');
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([ada.goto('/main/Open/Shared'), grace.goto('/main/Open/Shared')]);
    expect(await ada.textContent('body')).toContain('Only for Ada.');
    expect(await grace.textContent('body')).not.toContain('Only for Ada.');
    expect(await grace.getByRole('banner').textContent()).toContain('Grace Hopper');
  }
  // A change of Ada reaches the open page of Grace by its stream.
  await write(ada, 'Open/Shared', 'New for both.');
  await grace.getByText('New for both.').waitFor();

  // A draft that Ada leaves behind, at a browser that Grace uses after it.
  await ada.goto('/main/Open/Shared?view=edit');
  await ada.getByRole('textbox', { name: 'Text, in Markdown' }).fill('Unsaved by Ada.');
  await ada.getByText('Not saved yet.').waitFor();
  await ada.goto('/main/Closed/Secret');
  await ada.goto('/main/Open/Shared');
  await one.clearCookies();
  await logIn(ada, 'grace', '/main/Open/Shared?view=edit');
  await ada.getByRole('textbox', { name: 'Text, in Markdown' }).waitFor();
  await ada.waitForTimeout(500);
  expect(await ada.textContent('body')).not.toContain('Unsaved by Ada.');
  expect(await ada.getByRole('banner').textContent()).toContain('Grace Hopper');
  for (let step = 0; step < 12; step += 1) {
    const shown = await ada.goBack({ waitUntil: 'load' }).catch(() => null);
    expect(await ada.textContent('body'), shown?.url() ?? '').not.toContain('Only for Ada.');
    const signedIn = ada.locator('.person');
    if ((await signedIn.count()) > 0) expect(await signedIn.textContent()).toContain('Grace Hopper');
  }
});
