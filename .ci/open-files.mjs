import { ChildProcess } from 'node:child_process';
import dgram from 'node:dgram';
import fs from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import sqlite from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import threads from 'node:worker_threads';
import { expect } from 'vitest';

/*
 * Knows what a test file leaves open: a file, a server that listens, a socket of UDP, a thread, or a process that it waits
 * for.
 *
 * Node closes a lost handle when it happens to collect garbage, with a warning, and with an error in versions to come.
 * It never closes a lost descriptor. This does not wait for garbage: it counts what is opened and closed by
 * `node:fs/promises`, `node:fs`, `node:sqlite`, `node:net`, `node:dgram`, `node:worker_threads` and `node:child_process`, and
 * what is watched.
 */

/** For what ends after its caller has its answer. A slow machine makes each pause longer. */
const MAX_PAUSES = 250;
const PAUSE_MS = 20;
const MAX_FRAMES = 30;
const MAX_SHOWN = 12;

/**
 * Each open handle, descriptor, directory, database, watcher, server, socket, thread and process, with the place where it
 * was opened. Test files may share their process.
 */
const opened = trackOpened();

/** Closes whatever is still open, and returns the places where it was opened as one text; null if there is nothing. */
export async function whatIsOpen() {
  for (let pauses = 0; stillOpen().size > 0 && pauses < MAX_PAUSES; pauses += 1) await wait(PAUSE_MS);
  const left = [...opened];
  // The next file in this process is not to blame.
  opened.clear();
  if (left.length === 0) return null;
  await Promise.all(left.map(([one]) => end(one)));
  const places = left.slice(0, MAX_SHOWN).map(([, place]) => place);
  return `${left.length} were left open, among them:\n${places.join('\n')}`;
}

function trackOpened() {
  const key = Symbol.for('pagetree.open-files');
  if (globalThis[key] === undefined) {
    const all = new Map();
    trackHandles(all);
    trackDescriptors(all);
    trackDatabases(all);
    trackWatchers(all);
    trackServers(all);
    trackSockets(all);
    trackThreads(all);
    trackProcesses(all);
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
  const { openSync, opendirSync, close, closeSync } = fs;
  for (const name of ['open', 'opendir']) {
    const open = fs[name];
    fs[name] = (...given) => {
      const place = describePlace(given[0]);
      const answer = given.pop();
      return open(...given, (error, opened) => {
        if (error === null) all.set(opened, place);
        answer(error, opened);
      });
    };
  }
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
  const { watch, watchFile } = fs;
  fs.watchFile = (...given) => {
    const watcher = watchFile(...given);
    if (!all.has(watcher)) all.set(watcher, describePlace(given[0]));
    watcher.once('stop', () => all.delete(watcher));
    return watcher;
  };
  fs.watch = (...given) => {
    const place = describePlace(given[0]);
    const watcher = watch(...given);
    all.set(watcher, place);
    watcher.once('close', () => all.delete(watcher));
    return watcher;
  };
}

function trackServers(all) {
  const { prototype } = net.Server;
  const { listen } = prototype;
  prototype.listen = function (...given) {
    const place = describePlace('a server');
    this.once('listening', () => all.set(this, place));
    this.once('close', () => all.delete(this));
    return listen.apply(this, given);
  };
}

function trackSockets(all) {
  const { createSocket } = dgram;
  dgram.createSocket = (...given) => {
    const socket = createSocket(...given);
    all.set(socket, describePlace('a socket'));
    socket.once('close', () => all.delete(socket));
    return socket;
  };
}

/** A thread that was left alone by `unref`, such as an idle one that renders pages, waits for more work. */
function trackThreads(all) {
  threads.Worker = class extends threads.Worker {
    #place = describePlace('a thread');
    constructor(...given) {
      super(...given);
      all.set(this, this.#place);
      this.once('exit', () => all.delete(this));
    }
    unref() {
      all.delete(this);
      super.unref();
    }
    ref() {
      if (this.threadId !== -1) all.set(this, this.#place);
      super.ref();
    }
  };
}

/** A process that was left alone by `unref`, such as the service of esbuild, ends with the one that started it. */
function trackProcesses(all) {
  const { prototype } = ChildProcess;
  const { spawn, ref, unref } = prototype;
  const places = new WeakMap();
  prototype.spawn = function (...given) {
    const place = describePlace(given[0].file);
    const failure = spawn.apply(this, given);
    if (this.pid === undefined) return failure;
    all.set(this, place);
    places.set(this, place);
    this.once('exit', () => all.delete(this));
    return failure;
  };
  prototype.unref = function () {
    all.delete(this);
    return unref.call(this);
  };
  prototype.ref = function () {
    if (this.exitCode === null && this.signalCode === null) all.set(this, places.get(this));
    return ref.call(this);
  };
}

function end(one) {
  if (typeof one === 'number') return fs.closeSync(one);
  if (one instanceof ChildProcess) return one.kill('SIGKILL');
  if (one instanceof threads.Worker) return one.terminate();
  return 'stop' in one ? one.stop() : one.close();
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
