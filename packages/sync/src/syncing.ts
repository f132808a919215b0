import {
  type Call,
  callOperation,
  type Oid,
  type Projection,
  type RemoteSettings,
  type SyncReport,
  type Wiki,
  WikiError,
} from '@pagetree/wiki/contract';
import { type Described, describeFailure, describeSynced } from './describe-sync.ts';
import { type Synced, type SyncParts, syncOnce } from './sync-once.ts';
import type { Remote } from './transport/remote.ts';
import { WikiSide } from './wiki-side.ts';

export interface SyncingParts {
  wiki: Wiki;
  /** The name of the wiki; null for the default one. */
  name: string | null;
  call: Call;
  /**
   * By wiki, the reports that it did not take: for a program that looks at each wiki anew. Without it this object keeps
   * its own.
   */
  unrecorded?: Unrecorded;
  /** See WikiSide. */
  maxPushBytes?: number;
  open(settings: RemoteSettings): OpenedRemote;
  /** Milliseconds since 1970. */
  now(): number;
  /** Between 0 and 1. */
  random(): number;
}

export type Unrecorded = Map<string | null, { settings: RemoteSettings; report: SyncReport }>;

export interface OpenedRemote {
  remote: Remote;
  /** The address for people. */
  shown: string;
}

/** One attempt, and the report that it left. */
export interface Attempt {
  report: SyncReport;
  synced: Synced | null;
}

export class Syncing {
  readonly #parts: SyncingParts;
  readonly #side: WikiSide;
  readonly #unrecorded: Unrecorded;

  constructor(parts: SyncingParts) {
    this.#parts = parts;
    this.#unrecorded = parts.unrecorded ?? new Map();
    this.#side = new WikiSide(parts);
  }

  async remote(): Promise<{ settings: RemoteSettings; report: SyncReport | null } | null> {
    const { remote, report } = await this.#ask('get_remote', {});
    return remote === null ? null : { settings: remote, report: this.latest(remote, report) };
  }

  /** The report that counts: the one that the wiki has, or a later one that it did not take. */
  latest({ url, folder }: RemoteSettings, report: SyncReport | null): SyncReport | null {
    const kept = this.#unrecorded.get(this.#parts.name);
    const isOwn = kept?.settings.url === url && kept.settings.folder === folder;
    const own = isOwn ? kept.report : null;
    return own !== null && own.at >= (report?.at ?? 0) ? own : report;
  }

  async head(): Promise<Oid | null> {
    return (await this.#side.head()).commit;
  }

  /** Syncs once and records how it went. A failure is in the report; what the signal ends is thrown. */
  async attempt(
    settings: RemoteSettings,
    before: SyncReport | null,
    { stop, deadlineMs = DEADLINE_MS }: { stop?: AbortSignal; deadlineMs?: number | undefined } = {},
  ): Promise<Attempt> {
    const known = { branch: before?.branch ?? null, tip: before?.tip ?? null };
    // A remote that goes on sending a little is never silent.
    const deadline = AbortSignal.timeout(deadlineMs);
    const signal = stop === undefined ? deadline : AbortSignal.any([stop, deadline]);
    const projection = projectionOf(settings, before);
    // Changes in the course of the attempt: what was taken in counts, also if the push fails.
    const kept = projection === undefined ? null : { projection };
    let attempt: Attempt;
    try {
      const { remote, shown } = this.#parts.open(settings);
      // The wiki may be slow as well: to merge what the remote sends, or to pack what it lacks.
      const side = new WikiSide({ ...this.#parts, call: { ...this.#parts.call, signal } });
      const parts: SyncParts = { side, remote, settings, known, shown, kept, signal };
      const synced = await syncOnce(parts);
      const report = this.#success(settings, synced);
      // It may have asked the remote before that.
      const isAskedAgain = settings.agents_may_sync === true && (await this.#isAskedSince(before));
      attempt = { synced, report: isAskedAgain ? { ...report, next_at: report.at } : report };
    } catch (error) {
      stop?.throwIfAborted();
      const described = deadline.aborted ? TOO_SLOW : describeFailure(error);
      attempt = { synced: null, report: this.#failure(described, settings, before) };
    }
    if (kept !== null) attempt.report.projection = kept.projection;
    await this.#keep(settings, attempt.report);
    return attempt;
  }

  /** Records that a sync is due, for a process elsewhere which makes it. Throws WikiError. */
  async leave(settings: RemoteSettings, before: SyncReport | null): Promise<SyncReport> {
    const at = this.#parts.now();
    const report: SyncReport = {
      ...{ state: 'waiting', words: LEFT, at, next_at: at, failures: 0 },
      in_step_at: before?.in_step_at ?? null,
      branch: before?.branch ?? null,
      tip: before?.tip ?? null,
    };
    const projection = projectionOf(settings, before);
    if (projection !== undefined) report.projection = projection;
    await this.#ask('report_sync', { url: settings.url, report });
    return report;
  }

  /** True if an agent asked for a sync after `before` was read: that makes the same report due earlier. */
  async #isAskedSince(before: SyncReport | null): Promise<boolean> {
    const { report } = await this.#ask('get_remote', {});
    return before !== null && report?.at === before.at && report.next_at !== before.next_at;
  }

  /** A wiki that cannot be written takes no report. It is kept here then: without it each look would try again. */
  async #keep(settings: RemoteSettings, report: SyncReport): Promise<void> {
    const { name } = this.#parts;
    this.#unrecorded.set(name, { settings, report });
    try {
      await this.#ask('report_sync', { url: settings.url, report });
      this.#unrecorded.delete(name);
    } catch (error) {
      if (!(error instanceof WikiError)) throw error;
    }
  }

  #success(settings: RemoteSettings, synced: Synced): SyncReport {
    const at = this.#parts.now();
    return {
      state: 'in_step',
      words: describeSynced(synced, settings).slice(0, MAX_WORDS),
      at,
      in_step_at: at,
      next_at: at + settings.every_ms,
      failures: 0,
      branch: synced.branch,
      tip: synced.tip,
    };
  }

  #failure(described: Described, { every_ms }: RemoteSettings, before: SyncReport | null): SyncReport {
    const at = this.#parts.now();
    const failures = (before?.failures ?? 0) + 1;
    // A failure that passes by itself is noticed as soon as news would be. A remote that refuses a push still gives its commits.
    const maxWaitMs = described.passes || described.state === 'refused' ? every_ms : MAX_WAIT_MS;
    return {
      state: described.state,
      words: described.words.slice(0, MAX_WORDS),
      at,
      in_step_at: before?.in_step_at ?? null,
      next_at: at + this.#waitMs(described, failures, maxWaitMs),
      failures,
      branch: before?.branch ?? null,
      tip: before?.tip ?? null,
    };
  }

  /** Doubled each time, and spread out, so that many wikis do not come back at the same moment. */
  #waitMs({ passes, retryAfterMs }: Described, failures: number, maxWaitMs: number): number {
    const first = passes ? FIRST_WAIT_MS : FIRST_LONG_WAIT_MS;
    const waitMs = Math.min(first * 2 ** Math.min(failures - 1, 20), maxWaitMs);
    const spread = waitMs * (0.8 + 0.4 * this.#parts.random());
    return Math.round(Math.max(spread, Math.min(retryAfterMs ?? 0, MAX_ASKED_WAIT_MS)));
  }

  #ask<Name extends 'get_remote' | 'report_sync'>(name: Name, input: object) {
    const { wiki, name: wikiName, call } = this.#parts;
    const named = wikiName === null ? input : { ...input, wiki: wikiName };
    return callOperation(wiki, name, named, call) as ReturnType<Wiki[Name]>;
  }
}

/** The knowledge about the folder of the settings; undefined if the whole repository is the wiki. */
function projectionOf({ folder }: RemoteSettings, before: SyncReport | null): Projection | undefined {
  if (folder === undefined) return undefined;
  const known = before?.projection;
  return known?.folder === folder ? known : { folder, pairs: [], objects: [] };
}

const LEFT =
  'The sync on AWS comes to this wiki within a few minutes, if the stack has one ("sync": true in pagetree.json). `remote status` says how it went.';

const TOO_SLOW: Described = {
  state: 'timeout',
  words:
    'The sync took too long and was ended. Nothing is lost: both sides keep what they have. The sync tries again by itself.',
  passes: true,
  retryAfterMs: null,
};

/** A first push of some hundred megabytes takes that long over a slow line. */
const DEADLINE_MS = 2 * 3_600_000;
const FIRST_WAIT_MS = 5_000;
/** For what a person has to cure. */
const FIRST_LONG_WAIT_MS = 60_000;
const MAX_WAIT_MS = 3_600_000;
const MAX_ASKED_WAIT_MS = 24 * 3_600_000;
/** As many as the contract takes. */
const MAX_WORDS = 4_000;
