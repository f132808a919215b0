import { type Call, liesIn, limits, type Wiki, WikiError } from '@pagetree/wiki/contract';
import { decide } from './decide.ts';
import { type Disk, isSameStat } from './folder/disk.ts';
import { TOO_LARGE } from './folder/folder-contents.ts';
import { OWN_FOLDER } from './folder/mirror-state.ts';
import { isBlocked } from './folder/scan-folder.ts';
import { requireFolder } from './folder-gone.ts';
import { giveAll, type Refused } from './give.ts';
import { mergeBoth, takeLateSave } from './merge.ts';
import { PlaceableFiles, type WikiFile } from './names/placeable-files.ts';
import type { Difference, Findings, Look, Sides } from './sides.ts';
import { StrandedFiles } from './stranded-files.ts';
import { takeAll } from './take.ts';

export interface MirrorParts {
  wiki: Wiki;
  /** The name of the wiki; null for the default one. */
  name: string | null;
  call: Call;
  disk: Disk;
  /** Milliseconds since 1970. */
  now: () => number;
  randomBytes: (count: number) => Uint8Array;
  say: (sentence: string) => void;
}

/** The result of one pass. */
export interface Passed {
  /** Milliseconds until the next pass has something to do, 0 for at once; null if only a change brings it. */
  nextInMs: number | null;
  /** Files on both sides. */
  files: number;
  /** The folders to watch. */
  folders: ReadonlyMap<string, string>;
}

/** Keeps a folder and a wiki in step, one pass at a time. A pass may end at any point, by a crash too: the next one goes on. */
export class Mirror {
  readonly #sides: Sides;
  readonly #call: Call;
  readonly #names = new PlaceableFiles();
  readonly #refused: Refused = new Map();
  readonly #stranded = new StrandedFiles();
  #deletedCount = 0;
  #wikiFiles: Map<string, WikiFile> | null = null;
  #wikiLeftOut = new Map<string, string>();
  #leftOut = new Map<string, string>();

  constructor(sides: Sides, call: Call) {
    this.#sides = sides;
    this.#call = call;
  }

  /** True if the wiki has a newer commit than the folder. Costs little: it is asked several times a second. */
  async hasNews(): Promise<boolean> {
    await this.#lookAtWiki();
    return this.#wikiFiles === null;
  }

  /**
   * `hints`: the paths where something changed, as far as is known, since the last pass; null looks at all files. What nobody
   * reports is found by the next pass that looks at all.
   */
  async pass(hints: ReadonlySet<string> | null): Promise<Passed> {
    const { disk, root, state, contents: folder, wiki, scan, writer } = this.#sides;
    requireFolder(disk, root, state.id);
    await this.#lookAtWiki();
    if (hints === null) await scan.walk();
    else await scan.look(new Set([...hints, ...writer.takeTouched(), ...this.#unsettledPaths()]));
    // If the folder went away meanwhile, the list says nothing.
    requireFolder(disk, root, state.id);
    const wikiFiles = this.#placeable();
    this.#settleRemoved();
    this.#settlePending(wikiFiles);
    this.#forgetRefused();
    const contents = await folder.compare(scan, state.files, this.#sides.now());
    const look = { contents, wikiFiles };
    const findings: Findings = { again: false, leftOut: new Map([...this.#wikiLeftOut, ...scan.blocked]) };
    for (const key of contents.unreadable) findings.leftOut.set(key, 'it cannot be read');
    await this.#takeLateSaves(look, findings);
    await this.#bringInStep(look, findings);
    state.commit = wiki.commit;
    if (!this.#sides.isSaved()) await this.#sides.save();
    this.#sayLeftOut(findings.leftOut, contents.waiting);
    const waitMs = contents.settlesInMs ?? (this.#sides.kept.isEmpty ? null : KEPT_LOOK_MS);
    return { nextInMs: findings.again ? 0 : waitMs, files: state.files.size, folders: scan.folders };
  }

  *#unsettledPaths(): Generator<string> {
    const { contents, scan } = this.#sides;
    for (const key of contents.unsettled()) yield scan.files.get(key)?.path ?? key;
  }

  async #lookAtWiki(): Promise<void> {
    const { wiki, root } = this.#sides;
    const look = await wiki.look();
    if (look === 'other') throw isOtherWiki(root);
    if (look !== 'same') this.#wikiFiles = null;
  }

  #placeable(): Map<string, WikiFile> {
    const { wiki, state } = this.#sides;
    if (this.#wikiFiles === null) {
      const chosen = this.#names.choose(wiki.files.values(), (key) => state.files.has(key));
      this.#wikiFiles = chosen.files;
      this.#wikiLeftOut = chosen.leftOut;
    }
    return this.#wikiFiles;
  }

  /** What a pass that did not come to its end took out of the folder is agreed on. */
  #settleRemoved(): void {
    const { state, scan } = this.#sides;
    for (const key of state.removing)
      if (!scan.files.has(key) && !isBlocked(scan, key)) state.files.delete(key);
    state.removing.clear();
  }

  /** What a commit that was under way has made counts as agreed. */
  #settlePending(wikiFiles: ReadonlyMap<string, WikiFile>): void {
    const { state } = this.#sides;
    for (const [key, version] of state.pending) {
      if ((wikiFiles.get(key)?.version ?? null) !== version) continue;
      if (version === null) state.files.delete(key);
      else if (state.files.get(key)?.version !== version) state.files.set(key, { version, stat: null });
    }
    state.pending.clear();
  }

  /** A name may be refused because of another one that is gone now. */
  #forgetRefused(): void {
    const { deletedCount } = this.#sides.wiki;
    if (deletedCount !== this.#deletedCount) this.#refused.clear();
    this.#deletedCount = deletedCount;
  }

  async #takeLateSaves(look: Look, findings: Findings): Promise<void> {
    for (const late of this.#sides.kept.late(this.#sides.now())) {
      const copy = await takeLateSave(this.#sides, look, late, findings);
      if (copy === false) continue;
      look.contents.waiting.add(late.key);
      late.done(copy);
    }
  }

  async #bringInStep(look: Look, findings: Findings): Promise<void> {
    const steps: Steps = { take: [], give: [], merge: [] };
    for (const difference of this.#differences(look, findings)) this.#sortIn(difference, steps, findings);
    await takeAll(this.#sides, steps.take, findings);
    for (const difference of steps.merge) await mergeBoth(this.#sides, difference, findings);
    // What went away meanwhile was not deleted by the person.
    requireFolder(this.#sides.disk, this.#sides.root, this.#sides.state.id);
    const { scope } = this.#call;
    const give = this.#stranded.keep(steps.give, scope, look, findings);
    await giveAll(this.#sides, give, this.#refused, scope, findings);
  }

  #sortIn(difference: Difference, steps: Steps, findings: Findings): void {
    const { key, folder, wiki } = difference;
    const agreed = this.#sides.state.files.get(key)?.version ?? null;
    const decision = decide(agreed, folder?.version ?? null, wiki?.version ?? null);
    switch (decision) {
      case 'nothing':
      case 'agree':
        this.#agree(difference);
        return;
      case 'take':
      case 'give':
        steps[decision].push(difference);
        return;
    }
    if (!this.#mayChange(key)) {
      findings.leftOut.set(key, 'it was changed here, where it may only be read');
    } else if (decision === 'merge') steps.merge.push(difference);
    else if (decision === 'take again') {
      this.#say(key, 'was deleted here and changed in the wiki. The change stays, and it is here again');
      steps.take.push(difference);
    } else {
      this.#say(
        key,
        'was changed here and deleted in the wiki. The change stays, and goes into the wiki again',
      );
      steps.give.push(difference);
    }
  }

  /** The files of which one side, or both, may have changed. */
  *#differences({ contents, wikiFiles }: Look, findings: Findings): Generator<Difference> {
    const { state, wiki, scan } = this.#sides;
    const keys = new Set([...contents.changed.keys(), ...state.files.keys(), ...wikiFiles.keys()]);
    for (const key of keys) {
      if (contents.waiting.has(key) || isBlocked(scan, key)) continue;
      const changed = contents.changed.get(key);
      const agreed = state.files.get(key);
      const inWiki = wikiFiles.get(key) ?? null;
      if (changed === undefined && agreed?.version === inWiki?.version) continue;
      // The wiki has such a file, but for a reason that was reported it is not in step.
      if (inWiki === null && wiki.files.has(key)) continue;
      const scanned = scan.files.get(key);
      const unchanged = scanned && agreed && { ...scanned, version: agreed.version };
      const folder = changed === undefined ? (unchanged ?? null) : changed;
      const difference = { key, folder, wiki: inWiki };
      const reason = this.#tooLargeReason(difference);
      if (reason === null) yield difference;
      else findings.leftOut.set(key, reason);
    }
  }

  #tooLargeReason({ folder, wiki }: Difference): string | null {
    if (folder?.version === TOO_LARGE)
      return `it has over ${limits.attachmentBytes / 1_000_000} MB, the most that a file may have`;
    const isTooLarge = wiki !== null && this.#sides.wiki.tooLarge.has(wiki.version);
    return isTooLarge ? 'the wiki has more bytes of it than it gives in one answer' : null;
  }

  #agree({ key, folder }: Difference): void {
    const { state } = this.#sides;
    if (folder === null) state.files.delete(key);
    else if (!isSameStat(state.files.get(key)?.stat, folder.stat)) {
      state.files.set(key, { version: folder.version, stat: folder.stat });
    }
  }

  #mayChange(key: string): boolean {
    return this.#call.scope === undefined || liesIn(this.#call.scope.write, key);
  }

  #say(key: string, what: string): void {
    this.#sides.say(`${JSON.stringify(key)} ${what}.`);
  }

  /** Says once what is not kept in step, and again if it is for another reason. */
  #sayLeftOut(leftOut: Map<string, string>, waiting: ReadonlySet<string>): void {
    for (const [key, reason] of this.#leftOut) {
      if (waiting.has(key) && !leftOut.has(key)) leftOut.set(key, reason);
    }
    const fresh = [...leftOut].filter(([key, reason]) => this.#leftOut.get(key) !== reason);
    this.#leftOut = leftOut;
    if (fresh.length === 0) return;
    const shown = fresh.slice(0, MAX_SHOWN).map(([key, reason]) => `${JSON.stringify(key)} (${reason})`);
    const more = fresh.length > shown.length ? `, and ${fresh.length - shown.length} more` : '';
    this.#sides.say(`Not kept in step: ${shown.join(', ')}${more}.`);
  }
}

function isOtherWiki(root: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `The wiki does not have the commit at which the folder ${root} stands: it is another one, or was put back to an older state.`,
    now: 'Nothing was changed.',
    next: `If it is another one, give --dir or --connect, and --wiki, as before. If not, remove ${OWN_FOLDER} from the folder and start again: then both are compared as if for the first time.`,
  });
}

type Steps = Record<'take' | 'give' | 'merge', Difference[]>;

const MAX_SHOWN = 5;
/** While replaced files are still looked at. */
const KEPT_LOOK_MS = 1_000;
