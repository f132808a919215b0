import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { onTestFinished, vi } from 'vitest';
import { SqliteRecords } from '../../src/cli/sqlite-records.ts';
import { Admission } from '../../src/clients/admission.ts';
import { KnownPeople } from '../../src/clients/known-people.ts';
import { PersonalTokens } from '../../src/clients/personal-tokens.ts';
import type { AuditEvent } from '../../src/login/audit.ts';
import { accessOf } from '../login/team.ts';

const ISSUER = 'https://issuer.example';
export const ADA = { issuer: ISSUER, subject: 'ada', email: 'ada@example.org', name: 'Ada', groups: [] };
export const READS = [{ people: ['ada@example.org'], wikis: ['main'], may: 'read' }];
export const WRITES = [{ people: ['ada@example.org'], wikis: ['main'], may: 'write' }];

/** A wiki that clients of people reach by tokens, without a server before it. */
export async function openAdmission() {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-admission-'));
  const now = () => 1_000_000;
  const records = await SqliteRecords.open(join(directory, 'records.sqlite'), now);
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: 'main', placement: 'local', host });
  onTestFinished(async () => {
    vi.useRealTimers();
    records.close();
    await close();
    rmSync(directory, { recursive: true });
  });
  const people = new KnownPeople(records, ISSUER, now);
  const tokens = new PersonalTokens(records, people, now);
  await people.remember(ADA);
  const given = { may: 'write', wikis: null } as const;
  const made = await tokens.make(ADA, { name: 'script', given, untilMs: now() + 1_000_000 });
  const { id = '', secret = '' } = made ?? {};
  const audited: AuditEvent[] = [];
  const rules = { access: accessOf(WRITES), looks: 0, fails: false };
  const options = {
    bearers: [tokens],
    access: () => rules.access,
    wikiFor: () => wiki,
    defaultWiki: null,
    audit: (event: AuditEvent) => void audited.push(event),
  };
  const admission = new Admission({
    ...options,
    async look() {
      rules.looks += 1;
      if (rules.fails) throw new Error('the table does not answer');
    },
  });
  const admitted = await admission.admit(secret);
  if (admitted === null) throw new Error('The token does not count.');
  return { admission, options, admitted, tokens, people, rules, audited, id, secret, wiki };
}
