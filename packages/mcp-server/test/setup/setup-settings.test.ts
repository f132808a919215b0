import { chmod, mkdir, readFile, readlink, rename, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ClientName, clientNames } from '../../src/cli/setup/clients.ts';
import { AUTHOR, containerOf, expectedEntry, Home, isToml } from './run-setup.ts';
import { around, before, broken, layouts } from './settings-files.ts';

const options = ['--yes', '--author', AUTHOR, '--dir', '/wikis', '--wiki', 'notes'];
const everyOne = [...clientNames, ...options];
const command = [process.execPath, process.argv[1] ?? '', '--dir', '/wikis', '--wiki', 'notes'];

describe.each(Object.entries(layouts))('in settings with %s', (_, marked) => {
  let home: Home;
  let written: Record<string, string>;

  beforeAll(async () => {
    home = await Home.make();
    await home.fill((name) => before(marked, name));
    const { complained, code } = await home.setUp(everyOne);
    expect({ complained, code }).toEqual({ complained: '', code: 0 });
    written = Object.fromEntries(
      await Promise.all(clientNames.map(async (name) => [name, await home.read(name)] as const)),
    );
    expect((await home.setUp(['--remove', '--yes'])).code).toBe(0);
  });

  test.each(clientNames)('the entry of %s appears, and every other byte stays', (name) => {
    const text = written[name] ?? '';
    const [head, tail] = around(marked, name);
    expect(text.slice(0, head.length)).toBe(head);
    expect(text.slice(text.length - tail.length)).toBe(tail);
    const own = text.slice(head.length, text.length - tail.length);
    expect(own).toMatch(isToml(name) ? /^\[.*[^\r\n]\r?\n$/s : /^".*\}$/s);
    expect(entryIn(own, name)).toEqual(expectedEntry(name, command));
    if (marked[isToml(name) ? 'toml' : 'json'].includes('\r\n')) expect(own).not.toMatch(/[^\r]\n/);
  });

  test.each(clientNames)('it is removed from %s again, and every other byte stays', async (name) => {
    const [now, original] = [await home.read(name), before(marked, name)];
    const [head, tail] = around(marked, name);
    // What it added around the entry of JSON stays, as an empty list of servers.
    const emptied = `${head}…${tail}`.replace(/\{\s*…\s*\}/, '{}');
    // TOML has an empty line before a table, and an end of the line before that.
    const lineMoreOrLess = [original, `${original}\n`, original.replace(/\n$/, '')];
    if (isToml(name)) expect(lineMoreOrLess).toContain(now);
    else expect(now).toBe(emptied.includes('…') ? original : emptied);
  });
});

test.each(clientNames)('%s gets a file if it has none, for its owner alone', async (name) => {
  const home = await missing();
  expect(entryIn(await home.read(name), name, 'file')).toEqual(expectedEntry(name, command));
  expect((await stat(home.settings(name))).mode & 0o777).toBe(0o600);
  expect(await home.beside(name)).not.toContainEqual(expect.stringContaining('pagetree'));
});

const missing = once(async () => {
  const home = await Home.make();
  expect((await home.setUp(everyOne)).code).toBe(0);
  return home;
});

describe.each(broken)('settings with %s', (_, marked, refusal) => {
  const ran = once(async () => {
    const home = await Home.make();
    await home.fill((name) => before(marked, name));
    return { home, ...(await home.setUp(everyOne)) };
  });

  test.each(clientNames)('of %s are refused in plain words and stay as they are', async (name) => {
    const { home, complained, code } = await ran();
    expect(code).toBe(1);
    const line = complained.split('\n').find((each) => each.includes(home.settings(name))) ?? '';
    expect(line).toMatch(/^\w.* is left as it is\. /);
    expect(line).toMatch(refusal);
    expect(await home.read(name)).toBe(before(marked, name));
    expect(await home.beside(name)).not.toContainEqual(expect.stringContaining('pagetree'));
  });
});

const readOnly = once(async () => {
  const home = await Home.make();
  await home.fill((name) => before(layouts['one line'], name));
  await Promise.all(clientNames.map((name) => chmod(home.settings(name), 0o444)));
  return { home, ...(await home.setUp(everyOne)) };
});

test.each(clientNames)('settings of %s that may only be read are refused', async (name) => {
  const { home, complained, code } = await readOnly();
  expect(code).toBe(1);
  expect(complained).toContain(`${home.settings(name)}: It may only be read. Make it writable first.`);
  expect(await home.read(name)).toBe(before(layouts['one line'], name));
  expect((await stat(home.settings(name))).mode & 0o777).toBe(0o444);
});

const linked = once(async () => {
  const home = await Home.make();
  await home.fill((name) => before(layouts['an empty list of servers'], name));
  await mkdir(join(home.path, 'dotfiles', 'real'), { recursive: true });
  for (const name of clientNames) {
    const [link, file] = [home.settings(name), join(home.path, 'dotfiles', 'real', name)];
    await rename(link, file);
    await chmod(file, 0o640);
    // Two links one after the other, the first of them relative.
    await symlink(file, join(home.path, 'dotfiles', name));
    await symlink(`${'../'.repeat(depthOf(home, name))}dotfiles/${name}`, link);
  }
  return { home, ...(await home.setUp(everyOne)) };
});

test.each(clientNames)('links to the settings of %s stay links', async (name) => {
  const { home, code } = await linked();
  expect(code).toBe(0);
  expect(await readlink(home.settings(name))).toContain(`dotfiles/${name}`);
  expect(await readlink(join(home.path, 'dotfiles', name))).toContain('real');
  const file = join(home.path, 'dotfiles', 'real', name);
  const [head, tail] = around(layouts['an empty list of servers'], name);
  const text = await readFile(file, 'utf8');
  expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
  for (const path of [file, `${file}.before-pagetree`]) expect((await stat(path)).mode & 0o777).toBe(0o640);
  expect(await readFile(`${file}.before-pagetree`, 'utf8')).toBe(
    before(layouts['an empty list of servers'], name),
  );
  expect(await home.beside(name)).not.toContainEqual(expect.stringMatching(/\.tmp/));
});

const present = once(async () => {
  const home = await Home.make();
  await home.fill((name) => presentEntry(name));
  return { home, ...(await home.setUp(everyOne)) };
});

test.each(clientNames)('an existing entry of %s is updated, and keeps what a person added', async (name) => {
  const { home, code } = await present();
  expect(code).toBe(0);
  const text = await home.read(name);
  const expected = expectedEntry(name, command);
  const [key] = name === 'opencode' ? ['environment'] : ['env'];
  expect(entryIn(text, name, 'file')).toEqual({
    ...expected,
    timeout: 60,
    [key]: { AWS_PROFILE: 'work', PAGETREE_AUTHOR: AUTHOR },
  });
  expect(text).toContain('mine');
  expect(text.startsWith(presentEntry(name).split('OLD')[0] ?? '')).toBe(true);
  const again = await home.setUp([name, ...options]);
  expect(again.said).toContain('It is set up in');
  expect(await home.read(name)).toBe(text);
});

function presentEntry(name: ClientName): string {
  const key = containerOf[name];
  if (isToml(name)) {
    return `[${key}.pagetree]\ntimeout = 60 # mine\ncommand = "OLD"\n\n[${key}.pagetree.env]\nAWS_PROFILE = "work"\n`;
  }
  const [env, old] = name === 'opencode' ? ['environment', '["OLD"]'] : ['env', '"OLD"'];
  return `{\n  "${key}": {\n    "pagetree": {\n      "timeout": 60, // mine\n      "command": ${old},\n      "${env}": { "AWS_PROFILE": "work" }\n    }\n  }\n}\n`;
}

/** The entry in a part of a settings file that has nothing else, or in a whole one; read by other parsers than ours. */
function entryIn(text: string, name: ClientName, part: 'entry' | 'file' = 'entry'): unknown {
  const tables = isToml(name)
    ? (parseToml(text) as Record<string, Record<string, unknown>>)
    : (JSON.parse(
        part === 'file' ? text.replaceAll(/ \/\/.*$/gm, '') : `{"${containerOf[name]}":{${text}}}`,
      ) as Record<string, Record<string, unknown>>);
  return tables[containerOf[name]]?.pagetree;
}

function depthOf(home: Home, name: ClientName): number {
  const below = dirname(home.settings(name)).slice(home.path.length);
  return below.split('/').filter((part) => part !== '').length;
}

/** A value that several tests share, made by the first of them. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
