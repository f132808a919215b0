/**
 * True for names that programs use for their own files: settings, locks, and files that are only half there. None of
 * them goes into the wiki.
 */
export function isIgnoredName(name: string): boolean {
  return IGNORED.some((pattern) => pattern.test(name));
}

/** The name of the file in whose place macOS, until version 14, keeps this one while the file is in iCloud; null for others. */
export function nameInCloud(name: string): string | null {
  return /^\.(.+)\.icloud$/.exec(name)?.[1] ?? null;
}

const IGNORED: readonly RegExp[] = [
  // `.obsidian`, `.git`, `.trash`, `.DS_Store`, `.Tea.md.swp`, `.#Tea.md`, `.~lock.Tea.md#`, and this mirror's own.
  /^\./,
  // Vim, Emacs, gedit, Kate, Microsoft Office.
  /~$/,
  /^~\$/,
  /^#.*#$/,
  /^4913$/,
  /\.(sw[a-px]|swo|un~|tmp|temp|bak~|kate-swp)$/i,
  /^~.*\.tmp$/i,
  // Downloads and copies that go on.
  /\.(part|partial|crdownload|download|filepart|opdownload)$/i,
  /^(\.goutputstream-|goutputstream-)/,
  // JetBrains writes `___jb_tmp___` and `___jb_old___` beside a file.
  /___jb_(tmp|old)___$/,
  // Syncthing, rsync, NFS.
  /^~syncthing~/,
  /^~\$?.*\.lnk$/i,
  // Windows and macOS.
  /^(thumbs\.db|ehthumbs\.db|desktop\.ini|icon\r)$/i,
];
