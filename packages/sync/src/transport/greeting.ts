import { isOid, type Oid } from '@pagetree/wiki/oid';
import type { Incoming } from './incoming.ts';
import type { RemoteRefs } from './remote.ts';
import { RemoteFailure } from './remote-failure.ts';
import type { Service } from './session.ts';

/** Capabilities by name; several values of one name, as `symref` has them, are joined by a space. */
export type Capabilities = ReadonlyMap<string, string>;

/** The first words of a server. Version 2 lists the refs when it is asked. */
export type Greeting =
  | { version: 2; capabilities: Capabilities }
  | { version: 0; capabilities: Capabilities; refs: RemoteRefs; isShallow: boolean };

/** Reads what a server says first. Throws RemoteFailure, also if its objects are not named by SHA-1. */
export async function readGreeting(input: Incoming, service: Service, remote: string): Promise<Greeting> {
  let first = await input.nextText();
  if (first === `# service=${service}`) {
    if ((await input.nextText()) !== null) throw input.broken('pkt_line');
    first = await input.nextText();
  }
  if (first === 'version 1') first = await input.nextText();
  const greeting =
    first === 'version 2' ? await readVersion2(input) : await readVersion0(input, first, remote);
  refuseSha256(greeting.capabilities, remote);
  return greeting;
}

async function readVersion2(input: Incoming): Promise<Greeting> {
  const lines: string[] = [];
  for (let line = await input.nextText(); line !== null; line = await input.nextText()) lines.push(line);
  return { version: 2, capabilities: capabilitiesOf(lines) };
}

async function readVersion0(input: Incoming, first: string | null, remote: string): Promise<Greeting> {
  const refs = new Map<string, Oid>();
  let isShallow = false;
  // The capabilities are behind the first ref. Some servers send nothing for an empty repository.
  const [begin = '', named = ''] = first?.split('\0', 2) ?? [];
  const capabilities = capabilitiesOf(named.split(' ').filter(Boolean));
  refuseSha256(capabilities, remote);
  for (let line = first === null ? null : begin; line !== null; line = await input.nextText()) {
    const [oid = '', name = ''] = line.split(' ', 2);
    if (oid === 'shallow') isShallow = true;
    else if (!isOid(oid) || name === '') throw input.broken('pkt_line');
    else if (name.startsWith(BRANCHES)) refs.set(name, oid);
  }
  return { version: 0, capabilities, refs: { head: headOf(capabilities), refs }, isShallow };
}

function capabilitiesOf(entries: readonly string[]): Capabilities {
  const capabilities = new Map<string, string>();
  for (const entry of entries) {
    const [name = '', ...value] = entry.split('=');
    const before = capabilities.get(name);
    capabilities.set(name, before === undefined ? value.join('=') : `${before} ${value.join('=')}`);
  }
  return capabilities;
}

function headOf(capabilities: Capabilities): string | null {
  const symrefs = capabilities.get('symref')?.split(' ') ?? [];
  const head = symrefs.find((each) => each.startsWith('HEAD:'))?.slice('HEAD:'.length);
  return head?.startsWith(BRANCHES) ? head : null;
}

function refuseSha256(capabilities: Capabilities, remote: string): void {
  const format = capabilities.get('object-format');
  // A server may know both, and says first what the repository has.
  if (format !== undefined && format.split(' ')[0] !== 'sha1')
    throw new RemoteFailure('unsupported', { remote, reason: 'sha256' });
}

/** The names of branches begin so. */
export const BRANCHES = 'refs/heads/';
