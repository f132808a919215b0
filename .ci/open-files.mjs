import fs from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import sqlite from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect } from 'vitest';

/*
 * A setup file of vitest: a test file fails if it leaves a file open.
 *
 * Node closes a lost handle when it happens to collect garbage, with a warning, and with an error in versions to come.
 * It never closes a lost descriptor. This does not wait for garbage: it counts what is opened and closed by
 * `node:fs/promises`, `node:fs` and `node:sqlite`, and what is watched.
 */

/** For what ends after its caller has its answer. A slow machine makes each pause longer. */
const MAX_PAUSES = 250;
const PAUSE_MS = 20;
/** For a file that does not close. */
const TIMEOUT_MS = 300_000;
const MAX_FRAMES = 30;
const MAX_SHOWN = 5;

/**
 * Each open handle, descriptor, directory, database and watcher, with the place where it was opened. Test files may share their process.
 */
const opened = trackOpened();

afterAll(async () => {
  for (let pauses = 0; stillOpen().size > 0 && pauses < MAX_PAUSES; pauses += 1) await wait(PAUSE_MS);
  const left = [...opened];
  // The next file in this process is not to blame.
  opened.clear();
  if (left.length === 0) return;
  await Promise.all(left.map(([one]) => (typeof one === 'number' ? fs.closeSync(one) : one.close())));
  const places = left.slice(0, MAX_SHOWN).map(([, place]) => place);
  throw new Error(`${left.length} files were left open, among them:\n${places.join('\n')}`);
}, TIMEOUT_MS);

function trackOpened() {
  const key = Symbol.for('pagetree.open-files');
  if (globalThis[key] === undefined) {
    const all = new Map();
    trackHandles(all);
    trackDescriptors(all);
    trackDatabases(all);
    trackWatchers(all);
    syncBuiltinESMExports();
    globalThis[key] = all;
  }
  return globalThis[key];
}

function trackHandles(all) {
  const { open, opendir } = files;
  files.open = async (...given) => {
    const place = describePlace(given[0]);
    const handle = await open(...given);
    all.set(handle, place);
    handle.once('close', () => all.delete(handle));
    return handle;
  };
  files.opendir = async (...given) => {
    const place = describePlace(given[0]);
    const directory = await opendir(...given);
    all.set(directory, place);
    return directory;
  };
}

/** Streams open and close their files by the functions that are replaced here. */
function trackDescriptors(all) {
  const { open, openSync, opendirSync, close, closeSync } = fs;
  fs.open = (...given) => {
    const place = describePlace(given[0]);
    const answer = given.pop();
    return open(...given, (error, descriptor) => {
      if (error === null) all.set(descriptor, place);
      answer(error, descriptor);
    });
  };
  fs.openSync = (...given) => {
    const descriptor = openSync(...given);
    all.set(descriptor, describePlace(given[0]));
    return descriptor;
  };
  fs.opendirSync = (...given) => {
    const directory = opendirSync(...given);
    all.set(directory, describePlace(given[0]));
    return directory;
  };
  fs.close = (...given) => {
    all.delete(given[0]);
    return close(...given);
  };
  fs.closeSync = (...given) => {
    all.delete(given[0]);
    return closeSync(...given);
  };
}

/** At their first statement: nothing takes the place of the class in `node:sqlite`, whose exports do not change. */
function trackDatabases(all) {
  const { prototype } = sqlite.DatabaseSync;
  for (const name of ['exec', 'prepare']) {
    const run = prototype[name];
    prototype[name] = function (...given) {
      if (!all.has(this)) all.set(this, describePlace('a database'));
      return run.apply(this, given);
    };
  }
}

function trackWatchers(all) {
  const { watch } = fs;
  fs.watch = (...given) => {
    const place = describePlace(given[0]);
    const watcher = watch(...given);
    all.set(watcher, place);
    watcher.once('close', () => all.delete(watcher));
    return watcher;
  };
}

/** Neither a directory nor a database says when it is closed. A directory that is read to its end closes itself. */
function stillOpen() {
  for (const one of opened.keys()) {
    if (one instanceof sqlite.DatabaseSync ? !one.isOpen : one instanceof fs.Dir && isClosed(one))
      opened.delete(one);
  }
  return opened;
}

function isClosed(directory) {
  try {
    directory.readSync();
    return false;
  } catch (error) {
    return error.code === 'ERR_DIR_CLOSED';
  }
}

function describePlace(path) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = MAX_FRAMES;
  const [, , , ...frames] = new Error().stack.split('\n');
  Error.stackTraceLimit = stackTraceLimit;
  const own = frames.filter((frame) => !frame.includes('/node_modules/'));
  return [`${path}, by "${expect.getState().currentTestName}"`, ...own].join('\n');
}
