import { execFile } from 'node:child_process';
import {
  appendFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { clientNames } from '../../src/cli/setup/clients.ts';
import { isPart } from '../../src/cli/setup/kept-program.ts';
import { readSettings, replaceSettings } from '../../src/cli/setup/settings-file.ts';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { git } from '../git.ts';
import { SdkClient } from '../sdk-client.ts';
import { AUTHOR, Home } from './run-setup.ts';
import { around, before, layouts } from './settings-files.ts';

let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

const mixed = Object.values(layouts);
const layoutOf = (index: number) => mixed[index % mixed.length] ?? layouts['one line'];

test('the command writes the settings of every installed client, and they start the server', async () => {
  const home = await Home.make();
  await home.fill((name, index) => before(layoutOf(index), name));
  const wikis = join(await temporaryDirectory(), 'wikis');
  const options = ['--yes', '--author', AUTHOR, '--dir', wikis, '--wiki', 'notes'];
  const { said, complained, code } = await home.run(bundle, 'setup', ...options);
  expect({ complained, code }).toEqual({ complained: '', code: 0 });
  for (const [index, name] of clientNames.entries()) {
    const [head, tail] = around(layoutOf(index), name);
    const text = await home.read(name);
    expect(text.startsWith(head) && text.endsWith(tail), name).toBe(true);
    expect(text).toContain(JSON.stringify(bundle));
    const copy = `${home.settings(name)}.before-pagetree`;
    expect(said).toContain(`What was there before: ${copy}`);
    expect(await readFile(copy, 'utf8')).toBe(before(layoutOf(index), name));
  }
  const { command, args, env } = JSON.parse(await home.read('cursor')).mcpServers.pagetree;
  const client = await new SdkClient(command, args, { ...home.env, ...env }, '/').connect();
  await client.ok('write_page', { path: 'Tea', content: 'Black tea.' });
  await client.close();
  expect(await git(join(wikis, 'notes.git'), 'log', '-1', '--format=%an <%ae>')).toBe(AUTHOR);
});

test('a program that npx runs is kept where it lasts, and starts there when the cache of npx is gone', async () => {
  const home = await Home.make();
  const { installed, program } = await keptByNpx(home);
  const parts = (await readdir(installed)).filter(isPart);
  const kept = join(home.path, '.local/share/pagetree-program');
  await mkdir(join(home.path, '.cursor'));

  await home.run(program, 'setup', '--dry-run', 'cursor');
  expect(await home.has('.local')).toBe(false);
  // An entry that would start nothing is not written.
  await mkdir(dirname(kept), { recursive: true });
  await writeFile(kept, '');
  const refused = await home.run(program, 'setup', '--yes', '--author', AUTHOR, 'cursor');
  expect(refused).toMatchObject({ code: 1, complained: expect.stringContaining('Nothing was written') });
  expect(await home.has('.cursor/mcp.json')).toBe(false);
  await rm(kept);

  for (const version of ['// first version', '// second version']) {
    await appendFile(join(installed, 'pagetree.js'), version);
    expect(await home.run(program, 'setup', '--yes', '--author', AUTHOR, 'cursor')).toMatchObject({
      code: 0,
    });
  }
  await rm(join(home.path, '.npm'), { recursive: true });
  const { command, args, env } = JSON.parse(await home.read('cursor')).mcpServers.pagetree;
  expect(args[0]).toBe(join(kept, 'pagetree.js'));
  const client = await new SdkClient(command, args, { ...home.env, ...env }, '/').connect();
  await client.ok('write_page', { path: 'Tea', content: 'Black tea.' });
  await client.close();
  const files = await readdir(kept);
  expect(files.filter((file) => !isPart(file)).toSorted()).toEqual([
    '.compiled',
    'LICENSE',
    'THIRD-PARTY-NOTICES.txt',
    'package.json',
    'pagetree-program.js',
    'pagetree.js',
  ]);
  expect(files.filter(isPart).toSorted()).toEqual(parts.toSorted());
});

test('an update keeps the parts of the version before for a month, since a server that runs may load them', async () => {
  const home = await Home.make();
  const { program } = await keptByNpx(home);
  const kept = join(home.path, '.local/share/pagetree-program');
  await mkdir(join(home.path, '.cursor'));
  await mkdir(kept, { recursive: true });
  const [old, recent] = ['part-AAAAAAAA.js', 'part-BBBBBBBB.js'];
  for (const file of [old, recent, 'part-of somebody.js']) await writeFile(join(kept, file), '');
  await utimes(join(kept, old), new Date(), new Date(Date.now() - 31 * 24 * 60 * 60 * 1_000));

  await home.run(program, 'setup', '--yes', '--author', AUTHOR, 'cursor');
  const updated = await readdir(kept);
  expect(updated).not.toContain(old);
  expect(updated).toEqual(expect.arrayContaining([recent, 'pagetree.js']));
  await home.run(program, 'setup', '--remove', '--yes', 'cursor');
  expect(await readdir(kept)).toEqual(['part-of somebody.js']);
});

test('the program that was kept goes with the last entry', async () => {
  const home = await Home.make();
  const { program } = await keptByNpx(home);
  const kept = join(home.path, '.local/share/pagetree-program');
  for (const directory of ['.cursor', '.codex']) await mkdir(join(home.path, directory));
  await home.run(program, 'setup', '--yes', '--author', AUTHOR, 'cursor', 'codex');
  await writeFile(join(kept, 'of somebody else'), '');

  await home.run(program, 'setup', '--remove', '--dry-run');
  await home.run(program, 'setup', '--remove', '--yes', 'cursor');
  expect(await home.has('.local/share/pagetree-program/pagetree.js')).toBe(true);
  const last = await home.run(program, 'setup', '--remove', '--yes', 'codex');
  expect(last).toMatchObject({ code: 0, said: expect.stringContaining(`${kept} is gone`) });
  expect(await readdir(kept)).toEqual(['of somebody else']);
  await rm(kept, { recursive: true });
  expect(await home.run(program, 'setup', '--remove', '--yes', 'codex')).toMatchObject({
    code: 0,
    complained: '',
  });
});

test('without a terminal it writes nothing and says how to run it in a script', async () => {
  const home = await Home.make();
  await mkdir(join(home.path, '.cursor'));
  const asked = await home.run(bundle, 'setup');
  expect(asked).toMatchObject({ code: 1, complained: expect.stringContaining('Add --yes to write it.') });
  expect(asked.complained).toContain('The entry names no author');
  expect(asked.said).toContain(`Cursor: the new file ${home.settings('cursor')}`);
  expect(asked.said).toContain('"mcpServers"');
  expect(asked.said).not.toContain('Zed');
  const dry = await home.setUp(['--dry-run', '--yes', '--author', AUTHOR]);
  expect(dry).toMatchObject({ code: 0, complained: '' });
  expect(await home.has('.cursor/mcp.json')).toBe(false);
});

test('it prints the entry for a settings file, and says if it finds no client', async () => {
  const home = await Home.make();
  const { said, code } = await home.setUp(['--print', 'zed', 'codex', '--author', AUTHOR]);
  expect(code).toBe(0);
  expect(said).toContain(`Zed, in ${home.settings('zed')}`);
  expect(said).toContain('"context_servers": {');
  expect(said).toContain(`[mcp_servers.pagetree]\ncommand = "${process.execPath}"`);
  expect(await home.has('.codex')).toBe(false);
  const none = await home.setUp(['--yes']);
  expect(none.code).toBe(1);
  expect(none.complained).toMatch(/No client was found on this machine\. Name one of claude-desktop, /);
});

test.each([
  [['--author', 'Ada'], /The author is "Ada", but must read like "Ada Lovelace/],
  [['--wiki', 'My Wiki'], /a wiki's name is 1 to 64 of/],
  [['--tools', 'readpage'], /no tool or preset "readpage"/],
  [['--scope', 'notes'], /"notes" is no folder/],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what clients take for a variable
  [['--dir', '/a/${HOME}'], /would not reach the server as it is/],
])('%j is refused, as it would fail each start, and nothing is written', async (args, sentence) => {
  const home = await Home.make();
  const ran = await home.setUp(['zed', '--yes', ...args]);
  expect(ran).toMatchObject({ code: 1, said: '', complained: expect.stringMatching(sentence) });
  expect(await home.has('.config')).toBe(false);
});

// The command that gives a program a terminal is another one elsewhere.
const linuxTest = test.runIf(process.platform === 'linux');

linuxTest.each([
  ['\r', true],
  ['\u0004', false],
])('a person at a terminal is asked once for all clients, and answers %j', async (agreement, agreed) => {
  const home = await Home.make();
  for (const folder of ['.cursor', '.kiro']) await mkdir(join(home.path, folder));
  const line = `'${process.execPath}' '${bundle}' setup`;
  const child = execFile('script', ['-qec', line, '/dev/null'], { env: { ...process.env, ...home.env } });
  const answers = new Map([
    ['Who writes?', 'Ada <ada@example.org>\r'],
    ['Folder of wikis?', '~/wikis\r'],
    ['Wiki to use', 'notes\r'],
    ['Folders whose files', '\r'],
    ['Write this?', agreement],
  ]);
  let shown = '';
  child.stdout?.on('data', (text: string) => {
    shown += text;
    for (const [question, answer] of answers) {
      if (shown.includes(question) && answers.delete(question)) child.stdin?.write(answer);
    }
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code, shown).toBe(agreed ? 0 : 1);
  for (const name of ['cursor', 'kiro'] as const) {
    if (!agreed)
      expect(await home.has(name === 'cursor' ? '.cursor/mcp.json' : '.kiro/settings')).toBe(false);
    else {
      const { args, env } = JSON.parse(await home.read(name)).mcpServers.pagetree;
      expect(args).toEqual([bundle, '--dir', join(home.path, 'wikis'), '--wiki', 'notes']);
      expect(env).toEqual({ PAGETREE_AUTHOR: 'Ada <ada@example.org>' });
    }
  }
  expect(answers.size).toBe(0);
  expect(shown.match(/\[Y\/n\]/g)).toHaveLength(1);
});

test('settings that another program changes meanwhile are left alone', async () => {
  const home = await Home.make();
  await home.fill(() => '{}\n');
  const path = home.settings('claude-code');
  const read = await readSettings(path);
  if ('refused' in read) throw new Error(read.refused);
  await writeFile(path, '{"numStartups": 2}');
  expect(await replaceSettings(read, '{"mine": 1}')).toEqual({
    refused: 'It was changed by another program meanwhile. Run this again.',
  });
  expect(await home.read('claude-code')).toBe('{"numStartups": 2}');
  const nowThere = await readSettings(join(home.path, 'new.json'));
  if ('refused' in nowThere) throw new Error(nowThere.refused);
  await writeFile(join(home.path, 'new.json'), 'theirs');
  expect(await replaceSettings(nowThere, 'mine')).toHaveProperty('refused');
  expect((await home.beside('claude-code')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a folder, a link to nothing and a text in another encoding are refused in plain words', async () => {
  const home = await Home.make();
  const [folder, text] = [join(home.path, 'folder'), join(home.path, 'utf-16.json')];
  await mkdir(folder);
  await writeFile(text, Buffer.from('\uFEFF{}', 'utf16le'));
  expect(await readSettings(folder)).toEqual({ refused: 'It is no file.' });
  expect(await readSettings(text)).toEqual({ refused: 'It is no text in UTF-8.' });
  expect(await readSettings(join(text, 'below.json'))).toEqual({
    refused: 'Its folder cannot be made: a file has that name.',
  });
  expect((await stat(dirname(text))).isDirectory()).toBe(true);
});

/** The program as npx keeps it in its cache. */
async function keptByNpx(home: Home): Promise<{ installed: string; program: string }> {
  const cache = join(home.path, '.npm/_npx/1a2b/node_modules');
  const installed = join(cache, '@pagetree/mcp-server');
  await cp(dirname(bundle), installed, { recursive: true });
  await writeFile(join(installed, 'LICENSE'), 'MIT');
  await mkdir(join(cache, '.bin'));
  const program = join(cache, '.bin/pagetree');
  await symlink('../@pagetree/mcp-server/pagetree.js', program);
  return { installed, program };
}
