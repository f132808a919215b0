import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCodes, WikiError } from '../../src/contract/errors.ts';
import { operations } from '../../src/contract/operations.ts';
import { parseInput } from '../../src/contract/parse-input.ts';
import type { Call } from '../../src/contract/wiki.ts';
import { isHostilePath } from '../../src/core/paths/hostile-path.ts';
import { openWiki } from '../../src/open-wiki.ts';
import { git } from '../native-git.ts';
import { filesOf } from '../operations/archives.ts';
import { fuzz } from './fuzz-config.ts';
import { Chance, nextInput, realBundles } from './mutations.ts';

const CALL: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
/** The codes with which an import of bad input may answer. */
const EXPECTED_CODES = ['invalid_input', 'too_large'];

test('a bundle brings in nothing that git fsck --strict refuses, and an export contains nothing hostile', {
  timeout: fuzz.timeoutMs,
}, async () => {
  let backend = await openBackend();
  const chance = new Chance(fuzz.seed);
  const real = realBundles();
  const counts = new Map<string, number>();
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);
  let longestMs = 0;
  let taken = 0;
  const until = Date.now() + fuzz.seconds * 1_000;
  let inputs = 0;
  for (; inputs < fuzz.inputs && Date.now() < until; inputs += 1) {
    const { kind, bytes } = nextInput(chance, real);
    const name = `w-${inputs}`;
    const where = `input ${inputs} (${kind}) of seed ${fuzz.seed}`;
    const cpu = process.cpuUsage();
    const content = bytes.toString('base64');
    try {
      await backend.wiki.import_wiki(parseInput('import_wiki', { wiki: name, content }), CALL);
    } catch (error) {
      expect(error, where).toBeInstanceOf(WikiError);
      const { code } = error as WikiError;
      expect(errorCodes, where).toContain(code);
      expect(EXPECTED_CODES, `${where}: ${(error as WikiError).message}`).toContain(code);
      count(`${kind}: ${code}`);
      continue;
    } finally {
      const { user, system } = process.cpuUsage(cpu);
      longestMs = Math.max(longestMs, (user + system) / 1_000);
    }
    count(`${kind}: taken`);
    const repository = join(backend.directory, `${name}.git`);
    expect(git(repository, ['fsck', '--strict', '--no-dangling']), where).not.toMatch(/^error/m);
    const exported = await backend.wiki.export_wiki(
      parseInput('export_wiki', { wiki: name, format: 'folder' }),
      CALL,
    );
    expect(operations.export_wiki.output.parse(exported), where).toBeTruthy();
    for (const path of Object.keys(await filesOf(exported.content ?? ''))) {
      expect(isHostilePath(path), `${where}: ${path}`).toBe(false);
    }
    await backend.wiki.check_wiki(parseInput('check_wiki', { wiki: name }), CALL);
    // Wikis that are open stay in memory.
    taken += 1;
    if (taken % 50 === 0) {
      await backend.close();
      backend = await openBackend();
    }
  }
  const rows = [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, times]) => `${what} ${times}`);
  process.stdout.write(
    `seed ${fuzz.seed}, ${inputs} inputs, longest import ${Math.round(longestMs)} ms of CPU time\n${rows.join('\n')}\n`,
  );
  await backend.close();
  expect([...counts.keys()].some((what) => what.endsWith('taken'))).toBe(true);
});

async function openBackend() {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-fuzz-'));
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: 'main', placement: 'local', host });
  return {
    directory,
    wiki,
    async close() {
      await close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
