import { absenceIn, type Output } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { fileAddress } from '../addresses.ts';
import { FILE_POLICY } from '../headers.ts';
import { sentOf } from '../surroundings.ts';
import type { ViewTools } from '../view-tools.ts';

/**
 * A file of the wiki. Files that a browser can only display are displayed; everything else is downloaded, as
 * an attacker's document may look like one of our pages. The policy and `nosniff` hold for both.
 */
export async function answerFile(
  context: Context,
  tools: ViewTools,
  wiki: string,
  path: string,
): Promise<Response> {
  const at = context.req.query('at') || undefined;
  try {
    return await fileAt(context, tools, { wiki, path, at });
  } catch (error) {
    // A past page links to its files where they are today.
    if (at === undefined || absenceIn(error) !== 'missing') throw error;
    return context.redirect(fileAddress(wiki, path));
  }
}

async function fileAt(
  context: Context,
  tools: ViewTools,
  asked: { wiki: string; path: string; at: string | undefined },
): Promise<Response> {
  const isHead = context.req.method === 'HEAD';
  // A tag comes back as weak if the answer was compressed.
  const known = context.req.header('if-none-match')?.replace(/^W\//, '');
  const { signal } = context.req.raw;
  let memory = await tools.fileBytes.take(SMALL_BYTES, signal);
  try {
    const { file, bytes } = await tools.askFile(asked, async ({ version, size }) => {
      if (isHead || known === tagOf(version)) return false;
      if (size * COPIES > SMALL_BYTES) {
        memory.keep(0);
        memory = await tools.fileBytes.take(size * COPIES, signal);
      }
      return true;
    });
    memory.keep(bytes.length);
    const headers = headersOf({ ...file, path: asked.path });
    if (known === headers.ETag) return context.body(null, 304, headers);
    if (isHead) return context.body(null, 200, { ...headers, 'Content-Length': `${file.size}` });
    // Not copied: it may be large.
    return context.body(bytes as Uint8Array<ArrayBuffer>, 200, headers);
  } finally {
    void sentOf(context).then(() => memory.keep(0));
  }
}

/** Room for a file of unknown size from a wiki that is elsewhere, which gives no large ones. */
const SMALL_BYTES = 16_000_000;
/** A file that is read is in memory twice: as it is stored, and unpacked. */
const COPIES = 2;

function headersOf({ path, type, version }: Output<'get_attachment'>) {
  return {
    'Content-Security-Policy': FILE_POLICY,
    'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'Content-Disposition': `${SHOWN.has(type) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeName(path)}`,
    'Cache-Control': 'private, no-cache',
    ETag: tagOf(version),
  };
}

function tagOf(version: string): string {
  return `"${version}"`;
}

/** SVG as an image runs no script; as a document the policy removes its scripts and its origin. */
const SHOWN = new Set([
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/webp',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'video/mp4',
  'video/webm',
  'text/csv',
  'text/plain',
]);

/** In the form of RFC 5987, which excludes some characters that encodeURIComponent leaves. */
function encodeName(path: string): string {
  const name = encodeURIComponent(path.split('/').at(-1) ?? path);
  return name.replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
