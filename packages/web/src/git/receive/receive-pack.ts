import { callOperation, toWikiError } from '@pagetree/wiki/contract';
import { FLUSH, pktLine } from '@pagetree/wiki/pkt-line';
import { gitAnswer, listRefs, NO_OID, type Refs } from '../advertise.ts';
import type { GitRequest } from '../git-caller.ts';
import { wordsOf } from '../refusal.ts';
import { inBand, progressBand } from '../side-band.ts';
import { type PushRequest, type RefUpdate, readPush } from './commands.ts';

/** Takes a push: at most one change, of the wiki's branch. The answer says of each ref whether it was changed. */
export async function receivePack(asked: GitRequest, body: Uint8Array): Promise<Response> {
  const push = readPush(body);
  // Before a long push git sends an empty one, to find out whether it is let in.
  if (push.updates.length === 0) return gitAnswer(RESULT, new Uint8Array(0));
  const report: Report = { lines: ['unpack ok'], words: [] };
  try {
    await runPush(asked, push, report);
  } catch (error) {
    report.words.push(wordsOf(error));
    for (const { ref } of push.updates) report.lines.push(`ng ${ref} ${firstSentence(error)}`);
  }
  return gitAnswer(RESULT, reportBytes(report, push.capabilities));
}

/** The answer to a push of which only the beginning was kept. */
export function refusedPush(beginning: Uint8Array, sentence: string): Response {
  const { updates, capabilities } = readPush(beginning);
  const lines = ['unpack ok', ...updates.map(({ ref }) => `ng ${ref} the push is too large`)];
  return gitAnswer(RESULT, reportBytes({ lines, words: [sentence] }, capabilities));
}

interface Report {
  lines: string[];
  /** Lines that git shows to the person. */
  words: string[];
}

async function runPush(asked: GitRequest, { updates, capabilities, pack }: PushRequest, report: Report) {
  const refs = await listRefs(asked);
  const faults = updates.map((update) => faultOf(update, refs, updates));
  const isAtomic = capabilities.has('atomic') && faults.some((fault) => fault !== null);
  for (const [at, update] of updates.entries()) {
    const fault = faults[at] ?? (isAtomic ? 'another ref of this atomic push was refused' : null);
    report.lines.push(
      fault === null ? await landed(asked, update, pack, report) : `ng ${update.ref} ${fault}`,
    );
  }
}

/** The reason why an update is refused without a look at the pack; null if there is none. */
function faultOf({ ref, to }: RefUpdate, { head }: Refs, updates: readonly RefUpdate[]): string | null {
  if (ref.startsWith('refs/tags/')) return 'a wiki takes no tags';
  if (ref !== head) return `a wiki has one branch: push to ${head.replace(/^refs\/heads\//, '')}`;
  if (to === NO_OID) return 'the branch of a wiki cannot be deleted';
  return updates.filter((each) => each.ref === ref).length > 1 ? 'the push names this ref twice' : null;
}

/** Pushes, and returns the line of the report. */
async function landed(
  { wiki, name, call }: GitRequest,
  { ref, from, to }: RefUpdate,
  pack: Uint8Array,
  { words }: Report,
): Promise<string> {
  try {
    const input = { wiki: name, from: from === NO_OID ? null : from, to };
    await callOperation(wiki, 'receive_push', input, { ...call, bytes: pack });
    return `ok ${ref}`;
  } catch (error) {
    const { code, data } = toWikiError(error);
    if (code === 'version_conflict') {
      return `ng ${ref} ${data.reason === 'non_fast_forward' ? 'non-fast-forward' : 'fetch first'}`;
    }
    words.push(wordsOf(error));
    return `ng ${ref} ${firstSentence(error)}`;
  }
}

function firstSentence(error: unknown): string {
  const { happened } = toWikiError(error).text;
  return (/^.*?[.:](?=\s|$)/s.exec(happened)?.[0] ?? happened)
    .replaceAll(/\s+/g, ' ')
    .replace(/[.:]$/, '')
    .slice(0, 300);
}

function reportBytes({ lines, words }: Report, capabilities: ReadonlySet<string>): Buffer {
  const report = capabilities.has('report-status') ? Buffer.concat([...lines.map(pktLine), FLUSH]) : FLUSH;
  if (!capabilities.has('side-band-64k')) return report;
  return Buffer.concat([...words.map(progressBand), ...inBand(report), FLUSH]);
}

const RESULT = 'git-receive-pack-result';
