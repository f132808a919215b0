import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { onTestFinished } from 'vitest';

/** Changes something right after the next look at a path, as another process could. */
export function onceExamined(path: RegExp | string, change: () => void): void {
  onceCalled('lstatSync', path, change);
}

/** Changes something right after a path is opened. */
export function onceOpened(path: string, change: () => void): void {
  onceCalled('openSync', path, change);
}

/** Changes something right after a call for a path. */
export function onceCalled(
  name: 'lstatSync' | 'openSync' | 'readlinkSync',
  path: RegExp | string,
  change: () => void,
): void {
  const call = fs[name] as (...given: unknown[]) => unknown;
  const isMeant = (given: string) => (typeof path === 'string' ? given === path : path.test(given));
  const restore = replaceIn(fs, {
    [name]: (...given: unknown[]) => {
      const found = call(...given);
      if (isMeant(String(given[0]))) {
        restore();
        change();
      }
      return found;
    },
  });
}

/** The paths that are opened from now on. */
export function openedPaths(): unknown[] {
  const opened: unknown[] = [];
  const { openSync } = fs;
  replaceIn(fs, {
    openSync: (...given: Parameters<typeof openSync>) => {
      opened.push(given[0]);
      return openSync(...given);
    },
  });
  return opened;
}

/** Systems that do not say what a handle has opened. */
export const withoutOpenedPaths: Record<string, () => void> = {
  'another system': () => {
    hideProc();
    replaceIn(os, { platform: () => 'darwin' });
  },
  'Linux without /proc': hideProc,
};

/** Hides what handles have opened. By its number, this process still has its folder in /proc. */
function hideProc(): void {
  const { readdirSync, readlinkSync } = fs;
  const hidden = (path: unknown) => String(path).replace(/^\/proc\/self\//, '/nothing/');
  replaceIn(fs, {
    readdirSync: (path: string) => readdirSync(hidden(path)),
    readlinkSync: (path: string) => readlinkSync(hidden(path)),
  });
}

/** Replaces functions of a module of Node for all modules, until the test ends or the returned function is called. */
export function replaceIn(module: object, functions: object): () => void {
  const before = Object.fromEntries(
    Object.keys(functions).map((name) => [name, Reflect.get(module, name)] as const),
  );
  const assign = (them: object) => {
    Object.assign(module, them);
    syncBuiltinESMExports();
  };
  assign(functions);
  const restore = () => assign(before);
  onTestFinished(restore);
  return restore;
}
