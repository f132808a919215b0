import type { Retarget } from './requests.ts';
import type { LinkWithTarget, VaultState } from './vault-state.ts';

/** A definition without its label, which a merge may change. */
export function unlabelled({ written }: LinkWithTarget): string {
  return written.replace(/^\[ref(?:-\d+)*\]:/, '[ref]:');
}

/** True if a person may have written the link to a missing page. */
export function isPathFromFolder({ kind, target }: LinkWithTarget): boolean {
  if (/^[@~]|[${}\\]/.test(target)) return false;
  return kind === 'markdown' ? !target.startsWith('/') : /^\.\.?\//.test(target);
}

/** The place, composed, that a path from the folder of a page means, or null if it is outside of the wiki. */
export function placeFrom(page: string, target: string): string | null {
  const parts = page.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '..' && part !== '.') parts.push(part);
  }
  return parts.join('/').normalize('NFC');
}

/** True if a path from the folder of a page leaves a folder that contains the page and enters it again. */
export function isDetour(page: string, target: string): boolean {
  const inside = page.split('/').slice(0, -1);
  const steps = target.split('/');
  const ups = steps.findIndex((step) => step !== '..');
  const entered = steps.slice(ups, -1)[0];
  return ups > 0 && entered !== undefined && inside.at(-ups) === entered;
}

/** Files go along with the pages that use them; each has a content of its own. An undo moves nothing: it writes. */
export function movedFiles(before: VaultState, after: VaultState): Map<string, string> {
  const moved = new Map<string, string>();
  for (const path of before.paths) {
    if (path.endsWith('.md') || after.files.has(path)) continue;
    const bytes = before.files.get(path);
    const place = after.paths.find(
      (other) => !before.files.has(other) && bytes && after.files.get(other)?.equals(bytes),
    );
    if (place !== undefined) moved.set(path, place);
  }
  return moved;
}

export function folderOf(path: string): string {
  return path.split('/').slice(0, -1).join('/');
}

export function isInHeading({ line }: LinkWithTarget, text: string): boolean {
  return /^(?:> )?#{1,6} /.test(text.split('\n')[line - 1] ?? '');
}

/** The text that a reader sees of a wikilink. */
export function shownBy({
  shown,
  target,
  anchor,
}: Pick<LinkWithTarget, 'shown' | 'target' | 'anchor'>): string {
  return shown ?? (anchor === null ? target : `${target}#${anchor}`);
}

export function sorted(retargets: readonly Retarget[]): string[] {
  return retargets
    .map((retarget) =>
      JSON.stringify(retarget, ['page', 'link', 'old_target', 'new_target']).normalize('NFC'),
    )
    .toSorted();
}
