import { expect } from 'vitest';
import { checkOwnAnchor, namesPart } from './anchor-check.ts';
import { shadowedDefinitions } from './definition-check.ts';
import {
  folderOf,
  isDetour,
  isInHeading,
  isPathFromFolder,
  movedFiles,
  placeFrom,
  shownBy,
  sorted,
  unlabelled,
} from './link-places.ts';
import { type Chunk, pagesOf } from './planned-changes.ts';
import type { Effect, Retarget } from './requests.ts';
import { above, blocksOf, findSlowly, headingsOf } from './slow-anchors.ts';
import { slowLinksOf } from './slow-links.ts';
import { followSlowly, resolveSlowly } from './slow-resolver.ts';
import { twinsIn } from './twin-names.ts';
import { checkUpdated } from './updated-check.ts';
import { addressOf, type LinkWithTarget, textBesideLinks, type VaultState } from './vault-state.ts';

/**
 * Checks what a request did to the links of pages that it did not write: each leads where it led, or the answer
 * reports it; only links changed, and only those that would lead elsewhere. Returns how many links it looked at, and how
 * many of them have an anchor that named something.
 */
export function checkEffect(before: VaultState, after: VaultState, effect: Effect) {
  const check = new EffectCheck(before, after, effect);
  return check.run();
}

class EffectCheck {
  readonly #before: VaultState;
  readonly #after: VaultState;
  readonly #effect: Effect;
  readonly #files: ReadonlyMap<string, string>;
  readonly #found: Retarget[] = [];
  #count = 0;
  #anchors = 0;

  constructor(before: VaultState, after: VaultState, effect: Effect) {
    this.#before = before;
    this.#after = after;
    this.#effect = effect;
    const moves = [...effect.went].some(([path, now]) => path !== now);
    this.#files = moves ? movedFiles(before, after) : new Map();
  }

  run(): { links: number; anchors: number } {
    const { went, written, changed, chunks, answer } = this.#effect;
    if (chunks !== null) for (const [now, parts] of chunks) this.#checkChunks(now, parts);
    else {
      for (const path of pagesOf(this.#before)) {
        const now = went.get(path);
        if (now === null || now === undefined || written.has(now)) continue;
        const part = changed.get(now);
        if (part === undefined) this.#checkChunks(now, [{ from: path, isBody: false }]);
        else this.#checkPage(path, now, part);
      }
    }
    const { retargeted = [], retargeted_total = 0 } = answer;
    expect(sorted(retargeted), 'what is reported').toEqual(sorted(this.#found));
    expect(retargeted_total).toBe(retargeted.length);
    checkUpdated(this.#before, this.#after, this.#effect);
    expect(
      twinsIn(this.#after).filter((twin) => !twinsIn(this.#before).includes(twin)),
      'names',
    ).toEqual([]);
    return { links: this.#count, anchors: this.#anchors };
  }

  /** A page of which the request changed a part. */
  #checkPage(path: string, now: string, part: { before: number; after: number }): void {
    const linksNow = this.#after.links.get(now) ?? [];
    const links = this.#before.links.get(path) ?? [];
    const text = `${path}:\n${this.#before.files.get(path)}\nbecame ${now}:\n${this.#after.files.get(now)}`;
    const first = links.slice(0, part.before);
    for (const [at, link] of first.entries()) this.#checkLink(link, linksNow[at], now, text);
    const last = part.after === 0 ? [] : links.slice(-part.after);
    for (const [at, link] of last.entries()) this.#checkLink(link, linksNow.at(at - part.after), now, text);
    this.#found.push(...shadowedDefinitions(links, linksNow, now));
  }

  /** A page that is made of others and of what the request brings. */
  #checkChunks(now: string, chunks: readonly Chunk[]): void {
    const linksNow = this.#after.links.get(now) ?? [];
    const old = chunks.map((chunk) => ('from' in chunk ? this.#before.files.get(chunk.from) : chunk.text));
    const text = `${old.join('\n+\n')}\nbecame ${now}:\n${this.#after.files.get(now)}`;
    let at = 0;
    for (const chunk of chunks) {
      const isOwn = ({ isProperty }: { isProperty: boolean }) => !(chunk.isBody && isProperty);
      if ('from' in chunk) {
        const links = (this.#before.links.get(chunk.from) ?? []).filter(isOwn);
        for (const [place, link] of links.entries()) this.#checkLink(link, linksNow[at + place], now, text);
        at += links.length;
      } else {
        const { length } = slowLinksOf(chunk.text).filter(isOwn);
        for (const link of linksNow.slice(at, at + length)) this.#checkNew(link, now);
        at += length;
      }
    }
    expect(linksNow.length, `links of ${text}`).toBe(at);
    const [only, ...others] = chunks;
    if (only === undefined || others.length > 0 || !('from' in only)) return;
    if (this.#effect.rewrites) {
      expect(textBesideLinks(this.#after, now), text).toBe(textBesideLinks(this.#before, only.from));
    } else {
      expect(`${this.#after.files.get(now)}`, now).toBe(`${this.#before.files.get(only.from)}`);
    }
  }

  /** A link that the request brings means what it leads to, but is reported if the request took that away. */
  #checkNew(link: LinkWithTarget, page: string): void {
    this.#count += 1;
    const led = link.leads === null ? resolveSlowly(link, page, this.#before) : null;
    if (led === null || this.#after.files.has(led)) return;
    this.#found.push({
      page: addressOf(page),
      link: link.written,
      old_target: addressOf(led),
      new_target: null,
    });
  }

  #checkLink(link: LinkWithTarget, now: LinkWithTarget | undefined, page: string, text: string): void {
    this.#count += 1;
    if (namesPart(link, this.#before)) this.#anchors += 1;
    if (now === undefined) throw new Error(`${link.written} is gone: ${text}`);
    const wanted = this.#whereIs(link.leads);
    const about = `${link.written} (led to ${link.leads}, now ${now.written} to ${now.leads}) in ${text}`;
    if (now.leads !== wanted) this.#checkRetargeted(link, now, page, about);
    const isJoined = this.#isJoined(link);
    if (now.leads === wanted && isJoined) this.#checkAnchor(link, now, page, about);
    else if (now.leads === wanted) {
      const [before, after, effect] = [this.#before, this.#after, this.#effect];
      const taken = checkOwnAnchor({ before, after, effect }, link, now, about);
      if (taken !== null) this.#found.push({ page: addressOf(page), ...taken });
    }
    const isOldName = now.leads === wanted && this.#callsByOldName(link, wanted) && !this.#isAsEarlier(page);
    if (this.#effect.rewrites && isOldName) expect(now.written, `old name: ${about}`).not.toBe(link.written);
    if (link.leads === null && isPathFromFolder(link)) this.#checkBroken(link, now, page, about);
    else if (isJoined && link.target === '') return;
    else if (unlabelled(now) !== unlabelled(link)) this.#checkRewritten(link, now, page, about);
    else if (now.leads === wanted && !isJoined && now.anchor !== link.anchor) {
      // An alias with `#` whose page is now called as its part before that: `Plan#Part`.
      expect(this.#effect.rewrites, about).toBe(false);
      this.#reportTarget(link, now, page);
    }
  }

  /** A link that leads elsewhere is reported, and had to be if the request rewrites links. */
  #checkRetargeted(link: LinkWithTarget, now: LinkWithTarget, page: string, about: string): void {
    const wanted = this.#whereIs(link.leads);
    const couldBeKept = this.#effect.rewrites && wanted !== null && this.#after.files.has(wanted);
    if (couldBeKept) expect(now.leads, `could be kept: ${about}`).toBe(wanted);
    this.#reportTarget(link, now, page);
  }

  #reportTarget(link: LinkWithTarget, now: LinkWithTarget, page: string): void {
    this.#found.push({
      page: addressOf(page),
      link: now.written,
      old_target: link.leads === null ? null : addressOf(link.leads),
      new_target: now.leads === null ? null : addressOf(now.leads),
    });
  }

  /**
   * True if the target of a link took in a page, or the path of one that is gone: then the link keeps its
   * text.
   */
  #leadsToAnother({ leads }: LinkWithTarget, now: LinkWithTarget): boolean {
    if (leads === null || this.#effect.merged.has(leads)) return leads !== null;
    const there = now.leads ?? '';
    const went = this.#effect.went.get(there);
    if (went === null) {
      return this.#effect.chunks?.get(there)?.some((chunk) => 'text' in chunk) ?? false;
    }
    const isGone = (went ?? there) === there || this.#effect.merged.has(there);
    return there !== leads && this.#before.files.has(there) && isGone;
  }

  #isJoined({ leads }: LinkWithTarget): boolean {
    return leads !== null && this.#effect.merged.has(leads) && this.#effect.went.get(leads) !== null;
  }

  /** A link that is broken goes on naming the same missing page, or reports the page that it names now. */
  #checkBroken(link: LinkWithTarget, now: LinkWithTarget, page: string, about: string): void {
    if (!this.#effect.rewrites || now.leads !== null) return;
    const place = placeFrom(link.page, link.target);
    const places = place === null ? [] : [this.#effect.placeOf(place), place];
    const isTaken = (path: string) =>
      resolveSlowly({ ...link, target: `/${path}` }, page, this.#after) !== null;
    const mayStay = place === null || page === link.page || places.every(isTaken);
    const isSame = now.written === link.written && mayStay;
    if (!isSame)
      expect(places, `names another missing page: ${about}`).toContain(placeFrom(page, now.target));
  }

  /** An anchor of a page that was merged names the same heading or block there, if anything can, or is reported. */
  #checkAnchor(link: LinkWithTarget, now: LinkWithTarget, page: string, about: string): void {
    const chunks = this.#effect.chunks?.get(now.leads ?? '') ?? [];
    const own = chunks.findIndex((chunk) => 'from' in chunk && chunk.from === link.leads);
    if (!link.anchor || own === -1 || link.leads === null || now.leads === null) return;
    const textOf = (chunk: Chunk) => ('from' in chunk ? `${this.#before.files.get(chunk.from)}` : chunk.text);
    const text = `${this.#after.files.get(now.leads)}`;
    const was = findSlowly(`${this.#before.files.get(link.leads)}`, link.anchor, link.kind);
    const is = findSlowly(text, now.anchor ?? '', now.kind);
    const countIn = was?.kind === 'block' ? blocksOf : headingsOf;
    const before = chunks.slice(0, own).reduce((sum, chunk) => sum + countIn(textOf(chunk)).length, 0);
    const index = was === null ? null : was.index + before;
    if ((is?.index ?? null) === index) return;
    expect(was?.kind, about).not.toBe('block');
    const headings = headingsOf(text);
    for (const { text: name } of index === null || now.kind !== 'wiki' ? [] : above(headings, index)) {
      const nested = findSlowly(text, `${name}#${headings[index ?? 0]?.text}`, 'wiki');
      expect(nested?.index, `could be called ${name}#: ${about}`).not.toBe(index);
    }
    this.#found.push({
      page: addressOf(page),
      link: now.written,
      old_target: addressOf(link.leads) + (was === null ? '' : `#${link.anchor}`),
      new_target: `${addressOf(now.leads)}#${now.anchor}`,
    });
  }

  /** True if the request gave a page the bytes back that it had before an earlier move. */
  #isAsEarlier(page: string): boolean {
    const text = this.#after.files.get(page);
    return text !== undefined && (this.#effect.earlier?.get(page)?.equals(text) ?? false);
  }

  /** True if a link names a renamed page by its former name. A link by an alias does not count. */
  #callsByOldName(link: LinkWithTarget, now: string | null): boolean {
    if (now === null || link.leads === null || link.leads === now || link.target === '') return false;
    if (resolveSlowly(link, link.page, { ...this.#before, aliases: [] }) !== link.leads) return false;
    const parts = link.target.replace(/\.md$/i, '').normalize('NFC').split('/');
    const named = parts.filter((part) => !['', '.', '..'].includes(part));
    const called = (path: string) => path.replace(/\.md$/, '').split('/').slice(-named.length).join('/');
    return called(link.leads) !== called(now) && named.join('/') !== called(now);
  }

  #checkRewritten(link: LinkWithTarget, now: LinkWithTarget, page: string, about: string): void {
    if (this.#isAsEarlier(page)) return;
    const leadsUnchanged = this.#leadsInItsWay(link, page);
    const followed = followSlowly(link, page, this.#after);
    const isNeeded =
      (followed !== null && followed.anchor !== link.anchor) ||
      now.anchor !== link.anchor ||
      this.#callsByOldName(link, now.leads);
    if (!isNeeded) expect(leadsUnchanged, `was rewritten without need: ${about}`).not.toBe(now.leads);
    expect(now.kind, about).toBe(link.kind);
    if (link.leads === null || !this.#effect.merged.has(link.leads))
      expect(now.anchor, about).toBe(link.anchor);
    if (link.kind === 'markdown') return;
    const isMerged = this.#leadsToAnother(link, now);
    const isByAlias = resolveSlowly(link, link.page, { ...this.#before, aliases: [] }) !== link.leads;
    if (isInHeading(link, `${this.#before.files.get(link.page)}`)) {
      expect(shownBy(now), about).toBe(shownBy(link));
    } else if (!isMerged && !isByAlias) expect(now.shown, about).toBe(link.shown);
    else if (!link.written.startsWith('!')) expect(shownBy(now), about).toBe(shownBy(link));
    if (/^\.{0,2}\//.test(now.target)) return;
    const parts = now.target.split('/');
    for (let from = 1; from < parts.length; from += 1) {
      const shorter = { ...now, target: parts.slice(from).join('/') };
      const leads = resolveSlowly(shorter, page, this.#after);
      expect(leads, `[[${shorter.target}]] would do: ${about}`).not.toBe(now.leads);
    }
  }

  /**
   * The target of a link in its own manner. A Markdown path from the page's folder stays one, which other
   * programs read too, and is rewritten if its page moves to another folder.
   */
  #leadsInItsWay(link: LinkWithTarget, page: string): string | null {
    // A path that leaves a folder that its page now lies in only to come back is written straight.
    if (isDetour(page, link.target) && folderOf(link.page) !== folderOf(page)) return null;
    const asPath = { ...link, target: `./${link.target}` };
    const isPath = link.kind === 'markdown' && !link.target.startsWith('/');
    if (!isPath || resolveSlowly(asPath, link.page, this.#before) !== link.leads) {
      return resolveSlowly(link, page, this.#after);
    }
    return folderOf(link.page) === folderOf(page) ? resolveSlowly(asPath, page, this.#after) : null;
  }

  /**
   * The current place of the page formerly at a path. A deleted page is at none, and neither is another page
   * of the vault that took its path; text that the request brings there counts as the old page.
   */
  #whereIs(path: string | null): string | null {
    if (path === null) return null;
    const { went } = this.#effect;
    const isReplaced = went.get(path) === null && [...went.values()].includes(path);
    return isReplaced ? `${path} (deleted)` : (went.get(path) ?? this.#files.get(path) ?? path);
  }
}
