import { extname } from 'node:path';
import { WikiError } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import { limits } from '../../contract/limits.ts';
import type { Index } from '../index-port.ts';
import { pagePathOf, parseNewPagePath, parsePagePath } from '../paths/page-path.ts';
import { firstOf, spelledFiles } from '../paths/spellings.ts';
import type { Snapshot, TreeEntry } from '../ports.ts';
import type { Host } from '../session.ts';
import { nearNames } from '../text/links/near-names.ts';
import { normalForm } from '../text/normal-form.ts';

/** Files that are not pages. Their paths are tree paths in NFC. */

/** Throws `invalid_path` if the text cannot be the path of a file, or is the path of a page. */
export function parseAttachmentPath(input: string): string {
  refusePages(input);
  return parsePagePath(input);
}

/**
 * The path of a new attachment: replaces characters that links (`[]#^|`) or file systems cannot hold with
 * `-`. Throws `invalid_path` if that does not make it usable.
 */
export function safeAttachmentPath(input: string): string {
  refusePages(input);
  const parts = normalForm(input).split('/');
  const safe = parts.map((part) =>
    /^\.+$/.test(part)
      ? part
      : part
          .replace(/[\p{Cc}\p{Zl}\p{Zp}[\]#^|<>:"?*\\]/gu, '-')
          .trim()
          .replace(/[\s.]+$/, ''),
  );
  const path = parseNewPagePath(safe.join('/'));
  if (extname(path) === '') throw withoutExtension(input);
  return path;
}

export function findAttachment(snapshot: Snapshot, path: string): Promise<TreeEntry | null> {
  return firstOf(spelledFiles(snapshot, path));
}

/**
 * Finds a file that must exist; `not_found` suggests files that the caller may have meant: an embed gives the
 * name alone.
 * @param past True if the caller named this commit.
 */
export async function requireAttachment(
  snapshot: Snapshot,
  path: string,
  index: Index,
  past = false,
): Promise<TreeEntry> {
  const entry = await findAttachment(snapshot, path);
  if (entry !== null) return entry;
  const { treePaths } = snapshot.commit === null ? { treePaths: [] } : await index.names(snapshot.commit);
  const near = nearNames(
    path,
    treePaths.filter((each) => pagePathOf(each) === null),
  );
  throw new WikiError(
    'not_found',
    {
      happened: past
        ? `There was no attachment ${JSON.stringify(path)} after commit ${snapshot.commit}.`
        : `There is no attachment ${JSON.stringify(path)}.`,
      now:
        near.length === 0
          ? 'Nothing was changed.'
          : `Attachments with near names: ${near.map((name) => JSON.stringify(name)).join(', ')}.`,
      next: 'Check the path with list_attachments.',
    },
    { path, near },
  );
}

/**
 * Throws `version_conflict` unless the file is the expected version. The error does not say who changed it
 * last.
 */
export function requireAttachmentVersion(path: string, entry: TreeEntry | null, expected: Oid): void {
  if (entry?.oid === expected) return;
  throw new WikiError(
    'version_conflict',
    {
      happened: `The attachment ${JSON.stringify(path)} is not at version ${expected}.`,
      now:
        entry === null
          ? 'It is not there: it was moved or deleted, or never existed. Nothing was changed.'
          : `Its version is now ${entry.oid}. Nothing was changed.`,
      next:
        entry === null
          ? 'To store it as a new one, leave version out.'
          : 'Look at what it is now with get_attachment, and pass its new version.',
    },
    { path, version: entry?.oid ?? null, expected },
  );
}

/** The maximum size of an attachment on this backend, in bytes. */
export function mostAttachmentBytes(host: Host): number {
  return host.attachmentBytes ?? limits.attachmentBytes;
}

/** The media type of the file's extension; unknown types are bytes. */
export function mediaTypeOf(path: string): string {
  return mediaTypes[extname(path).slice(1).toLowerCase()] ?? 'application/octet-stream';
}

const mediaTypes: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

/** The error for a file without extension: a link to it would look like a link to a page. */
function withoutExtension(path: string): WikiError {
  return new WikiError('invalid_path', {
    happened: `${JSON.stringify(path.slice(0, 200))} has no extension, so that links to it would look like links to a page.`,
    now: 'Nothing was read or changed.',
    next: 'Give it one, like "chart.png".',
  });
}

function refusePages(path: string): void {
  if (!/\.md$/i.test(path)) return;
  throw new WikiError('invalid_path', {
    happened: `${JSON.stringify(path.slice(0, 200))} is the path of a page, not of an attachment.`,
    now: 'Nothing was read or changed.',
    next: 'Use read_page, write_page or delete_page.',
  });
}
