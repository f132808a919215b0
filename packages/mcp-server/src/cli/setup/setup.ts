import { dirname } from 'node:path';
import type { SetupCommand } from '../command-line.ts';
import {
  type Client,
  type ClientName,
  clientNames,
  clients,
  ENTRY_NAME,
  type ServerStart,
} from './clients.ts';
import type { EditSettings, EntryPlace, Refusal } from './edit.ts';
import { editJson } from './json-settings.ts';
import type { KeptProgram } from './kept-program.ts';
import { chooseFile, isOnMachine, type Machine } from './machine.ts';
import { describe, readSettings, replaceSettings, type SettingsFile } from './settings-file.ts';
import type { Terminal } from './terminal.ts';
import { editToml } from './toml-settings.ts';

export interface SetupSurroundings {
  machine: Machine;
  /** Null if there is nobody to ask. */
  terminal: Terminal | null;
  /** How clients are to start the server; asks for what is not known. A sentence if something is wrong with it. */
  readStart: (terminal: Terminal | null) => Promise<ServerStart | string>;
  /** The copy of the program that they are to start, if this one does not last. */
  kept: KeptProgram | null;
  say: (text: string) => void;
  complain: (sentence: string) => void;
}

const EDITORS: Readonly<Record<Client['format'], EditSettings>> = { json: editJson, toml: editToml };

/** Puts our entry into the settings of clients, or takes it out. Answers whether everything went well. */
export async function setUp(command: SetupCommand, surroundings: SetupSurroundings): Promise<boolean> {
  const { options } = command;
  const { say, complain, machine } = surroundings;
  const chosen = command.clients.length > 0 ? command.clients : await findClients(machine);
  if (chosen.length === 0) {
    complain(`No client was found on this machine. Name one of ${clientNames.join(', ')}.`);
    return false;
  }
  const terminal = options.yes || options['dry-run'] || options.print ? null : surroundings.terminal;
  const start = options.remove ? null : await surroundings.readStart(terminal);
  if (typeof start === 'string') {
    complain(start);
    return false;
  }
  if (options.print && start !== null) return printAll(chosen, start, surroundings);
  const plans = await Promise.all(chosen.map((name) => plan(name, start, machine)));
  if (start !== null && start.env.PAGETREE_AUTHOR === undefined) complain(NOBODY_WRITES);
  for (const each of plans) {
    if (each.kind === 'refused') complain(each.sentence);
    else say(each.sentence);
  }
  const changes = plans.filter((each) => each.kind === 'change');
  const allPlanned = plans.every(({ kind }) => kind !== 'refused');
  if (options['dry-run']) return allPlanned;
  if (changes.length > 0 && !options.yes && !(await mayWrite(terminal, surroundings))) return false;
  // Also if no entry changes: this may be a newer program.
  if (start !== null && !(await keepProgram(surroundings))) return false;
  const written = await writeAll(changes, start === null, surroundings);
  return written && allPlanned;
}

const NOBODY_WRITES =
  'The entry names no author, as git\'s configuration lacks a name or an address. Add --author "Name <email>".';

async function printAll(
  chosen: readonly ClientName[],
  start: ServerStart,
  surroundings: SetupSurroundings,
): Promise<boolean> {
  if (!(await keepProgram(surroundings))) return false;
  const parts = await Promise.all(chosen.map((name) => printed(name, start, surroundings.machine)));
  surroundings.say(parts.join('\n'));
  return true;
}

async function mayWrite(terminal: Terminal | null, { say, complain }: SetupSurroundings): Promise<boolean> {
  if (terminal === null) {
    complain('Nothing was written, as there is nobody to ask here. Add --yes to write it.');
    return false;
  }
  const answer = await terminal.ask('Write this? [Y/n] ');
  const agreed = answer !== null && /^\s*(y|yes)?\s*$/i.test(answer);
  if (!agreed) say('Nothing was written.\n');
  return agreed;
}

/** Before an entry names it. */
async function keepProgram({ kept, complain }: SetupSurroundings): Promise<boolean> {
  if (kept === null) return true;
  try {
    await kept.keep();
    return true;
  } catch (error) {
    complain(
      `Nothing was written, as the program cannot be kept in ${dirname(kept.script)}. ${describe(error)}`,
    );
    return false;
  }
}

/** After the last entry: one that stays may start the program. */
async function removeProgram({ kept, machine, say, complain }: SetupSurroundings): Promise<boolean> {
  if (kept === null) return true;
  const left = await Promise.all(clientNames.map((name) => plan(name, null, machine)));
  if (left.some(({ kind }) => kind !== 'nothing')) return true;
  const directory = dirname(kept.script);
  try {
    if (await kept.remove()) say(`The program in ${directory} is gone.\n`);
    return true;
  } catch (error) {
    complain(`The program in ${directory} cannot be removed. ${describe(error)}`);
    return false;
  }
}

async function writeAll(
  changes: readonly Change[],
  isRemoval: boolean,
  surroundings: SetupSurroundings,
): Promise<boolean> {
  const { say, complain } = surroundings;
  let allWritten = true;
  for (const change of changes) {
    const written = await replaceSettings(change.file, change.text);
    if ('refused' in written) {
      complain(refusal(change.client, change.path, written));
      allWritten = false;
    } else say(describeWritten(change, written.copy, isRemoval));
  }
  return (!isRemoval || (await removeProgram(surroundings))) && allWritten;
}

interface Change {
  kind: 'change';
  client: Client;
  path: string;
  file: SettingsFile;
  text: string;
  sentence: string;
}

type Plan = Change | { kind: 'nothing' | 'refused'; sentence: string };

async function findClients(machine: Machine): Promise<ClientName[]> {
  const found = await Promise.all(
    clientNames.map(async (name) => ((await isOnMachine(clients[name], machine)) ? [name] : [])),
  );
  return found.flat();
}

async function plan(name: ClientName, start: ServerStart | null, machine: Machine): Promise<Plan> {
  const client: Client = clients[name];
  const path = await chooseFile(client, machine);
  const file = await readSettings(path);
  if ('refused' in file) return { kind: 'refused', sentence: refusal(client, path, file) };
  const at: EntryPlace = { container: client.container, name: ENTRY_NAME };
  const entry = start === null ? null : client.entry(start);
  if (entry === null && file.found === null) return nothing(client, `It has no settings file: ${path}`);
  const edited = EDITORS[client.format](file.text, at, entry);
  if ('refused' in edited) return { kind: 'refused', sentence: refusal(client, path, edited) };
  if (edited.text === file.text) {
    return nothing(
      client,
      entry === null ? `There is no ${ENTRY_NAME} in ${path}` : `It is set up in ${path}`,
    );
  }
  const where = file.place === path ? path : `${path} (${file.place})`;
  const lines = entry === null ? '' : indented(snippet(client, start));
  const what = entry === null ? `${ENTRY_NAME} goes from` : file.found === null ? 'the new file' : 'into';
  const sentence = `${client.title}: ${what} ${where}\n${lines}`;
  return { kind: 'change', client, path, file, text: edited.text, sentence };
}

function nothing(client: Client, sentence: string): Plan {
  return { kind: 'nothing', sentence: `${client.title}: ${sentence}\n` };
}

function describeWritten({ client, path }: Change, copy: string | null, isRemoval: boolean): string {
  const kept = copy === null ? '' : `  What was there before: ${copy}\n`;
  const next = isRemoval ? '' : `  ${client.next}\n`;
  return `${client.title}: ${isRemoval ? `${ENTRY_NAME} is gone from` : 'written to'} ${path}\n${kept}${next}`;
}

async function printed(name: ClientName, start: ServerStart, machine: Machine): Promise<string> {
  const client: Client = clients[name];
  return `${client.title}, in ${await chooseFile(client, machine)}\n\n${snippet(client, start)}`;
}

/** A whole settings file with nothing but our entry. */
export function snippet(client: Client, start: ServerStart | null): string {
  if (start === null) return '';
  const at: EntryPlace = { container: client.container, name: ENTRY_NAME };
  const edited = EDITORS[client.format]('', at, client.entry(start));
  return 'text' in edited ? edited.text : '';
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function refusal(client: Client, path: string, { refused }: Refusal): string {
  return `${client.title} is left as it is. ${path}: ${refused} To add the entry by hand, add --print.`;
}
