import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { OwnIssuer } from '../login/own-issuer.ts';
import { logIn, openTeam } from '../login/team.ts';

const RULES = [
  { groups: ['editors'], wikis: ['main'], may: 'write' },
  { everyone: true, wikis: ['main'], folders: ['Public/'], may: 'read' },
];

test('a login that cannot be noted does not count if a token would keep what the person has lost', async () => {
  const issuer = await OwnIssuer.open();
  const { client, browser, directory, audited, logged } = await openTeam({ rules: RULES, issuer });
  const ada = {
    ...{ issuer: issuer.address, subject: 'ada', email: 'ada@example.org', name: 'Ada', groups: ['editors'] },
  };
  const { http } = await client(ada);
  const table = new DatabaseSync(join(directory, '.pagetree', 'records.sqlite'));
  onTestFinished(() => table.close());
  table.exec(`CREATE TRIGGER full BEFORE INSERT ON record BEGIN SELECT RAISE(FAIL, 'the disk is full'); END`);
  const statusOf = async (sub: string, groups: string[]) =>
    (await logIn(browser(), issuer, { claims: { sub, name: 'Ada', groups } })).status;

  expect(await statusOf('ada', ['editors'])).toBe(200);
  expect(await statusOf('grace', [])).toBe(200);
  expect(await statusOf('ada', [])).toBe(503);
  expect(audited.at(-1)).toEqual({ event: 'login refused', reason: 'the login cannot be noted' });
  expect(logged.at(-1)).toBe('a login was not noted for clients: the disk is full');

  table.exec('DROP TRIGGER full');
  expect((await http.modern('tools/list')).status).toBe(200);
  expect(await statusOf('ada', [])).toBe(200);
  const read = { name: 'wiki_status', arguments: {} };
  const [answer] = (await http.modern('tools/call', read)).messages;
  expect(JSON.stringify(answer)).toContain('read only');
});
