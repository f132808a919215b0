import { callOperation, type Output } from '@pagetree/wiki/contract';
import { FLUSH, pktLine } from '@pagetree/wiki/pkt-line';
import type { GitRequest } from './git-caller.ts';

export type Refs = Output<'list_refs'>;

export async function listRefs({ wiki, name, call }: GitRequest): Promise<Refs> {
  return (await callOperation(wiki, 'list_refs', { wiki: name }, call)) as Refs;
}

/** The first answer to a clone or a fetch. */
export async function advertiseUploading(asked: GitRequest, isV2: boolean): Promise<Response> {
  // Version 2 lists the refs later, but an unknown wiki is refused here: git shows no words of a later refusal.
  const refs = await listRefs(asked);
  if (!isV2) return advertisement('git-upload-pack', refsOfV0(refs, capabilitiesOfV0(refs, agentOf(asked))));
  const lines = [
    'version 2',
    `agent=${agentOf(asked)}`,
    'ls-refs=unborn',
    'fetch=shallow filter wait-for-done',
  ];
  return advertisement('git-upload-pack', [...lines, 'object-format=sha1'].map(pktLine), []);
}

/** The first answer to a push, which has version 0 alone. */
export async function advertiseReceiving(asked: GitRequest, refusePush: () => void): Promise<Response> {
  const { refs } = await listRefs(asked);
  // After the look: a caller learns nothing of a wiki that it may not see.
  refusePush();
  const capabilities = `report-status delete-refs quiet atomic ofs-delta side-band-64k object-format=sha1 agent=${agentOf(asked)}`;
  const lines = refs.map(({ name, oid }) => `${oid} ${name}`);
  return advertisement('git-receive-pack', withCapabilities(lines, capabilities));
}

function refsOfV0({ head, refs }: Refs, capabilities: string): Buffer[] {
  const lines = refs.flatMap(({ name, oid, peeled }) => [
    `${oid} ${name}`,
    ...(peeled === null ? [] : [`${peeled} ${name}^{}`]),
  ]);
  const first = refs.find(({ name }) => name === head);
  return withCapabilities(first === undefined ? lines : [`${first.oid} HEAD`, ...lines], capabilities);
}

function capabilitiesOfV0({ head, refs }: Refs, agent: string): string {
  return [
    'multi_ack_detailed no-done thin-pack side-band-64k shallow deepen-since deepen-relative no-progress filter',
    'allow-tip-sha1-in-want allow-reachable-sha1-in-want object-format=sha1',
    // A HEAD that names a branch which does not exist cannot be said in version 0.
    ...(refs.some(({ name }) => name === head) ? [`symref=HEAD:${head}`] : []),
    `agent=${agent}`,
  ].join(' ');
}

/** The capabilities go behind the first ref, or behind a name in its place. */
function withCapabilities([first = `${NO_OID} capabilities^{}`, ...others]: string[], capabilities: string) {
  return [`${first}\0${capabilities}`, ...others].map(pktLine);
}

function advertisement(service: string, lines: Buffer[], before = [pktLine(`# service=${service}`), FLUSH]) {
  return gitAnswer(`${service}-advertisement`, Buffer.concat([...before, ...lines, FLUSH]));
}

/** An answer in git's protocols. */
export function gitAnswer(type: string, body: Uint8Array | ReadableStream<Uint8Array>): Response {
  const headers = {
    'Content-Type': `application/x-${type}`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  return new Response(body as BodyInit, { headers });
}

function agentOf({ version }: GitRequest): string {
  return `pagetree/${version}`;
}

/** In place of an object that is not there. */
export const NO_OID = '0'.repeat(40);
