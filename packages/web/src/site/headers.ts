import { createHash } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';

/**
 * Everything in a wiki is untrusted: a page may contain text that an agent was tricked into writing. These
 * headers hold even if the sanitizer fails: no script except our own files, no style except our sheet, no foreign origin,
 * no frame except the one that draws diagrams, no form that sends anything elsewhere. Images in the address itself
 * (`data:`) are its diagrams.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "connect-src 'self'",
  "media-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The policy of a page that is a file, in a `meta` element, as no host sends it. Files of the wiki are part of its
 * origin: their names keep a host from serving one as a script or a style sheet.
 */
export const STATIC_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ');

/** Lets this answer show these images of other origins, for which the reader asked. */
export function allowImages(context: Context, sources: readonly string[]): void {
  context.set(IMAGES, sources);
}

const IMAGES = 'images';

/** Lets this answer run one more of our scripts, by its path. */
export function allowScript(context: Context, path: string): void {
  context.set(SCRIPT, path);
}

const SCRIPT = 'script';

/** For a file of the wiki: even if the browser shows it as a document, it has no origin of ours and runs nothing. */
export const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** Lets the script of the editor run in this answer. */
export function allowEditor(context: Context): void {
  context.set(EDITOR, true);
}

const EDITOR = 'editor';

export interface OwnParts {
  script: string;
  editor: string;
  frame: string;
  stylesheet: string;
}

/**
 * `script` is the path of the script that may run, `editor` that of another one where it is allowed, `frame` that of the document that may be in a frame. Not all of our
 * origin: files of the wiki are part of it.
 */
export function secured({ script, editor, frame, stylesheet }: OwnParts): MiddlewareHandler {
  const style = `style-src 'sha256-${createHash('sha256').update(stylesheet).digest('base64')}'`;
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    if (!headers.has('Content-Security-Policy')) {
      const host = context.req.header('host') ?? '';
      const images = (context.get(IMAGES) as readonly string[] | undefined) ?? [];
      const more = context.get(SCRIPT) as string | undefined;
      const scripts = [
        script,
        ...(context.get(EDITOR) === true ? [editor] : []),
        ...(more === undefined ? [] : [more]),
      ];
      const own = `script-src ${scripts.map((path) => host + path).join(' ')}; frame-src ${host}${frame}; img-src ${["'self' data:", ...images].join(' ')}`;
      headers.set('Content-Security-Policy', `${PAGE_POLICY}; ${style}; ${own}`);
    }
    headers.set('X-Content-Type-Options', 'nosniff');
    if (!headers.has('Referrer-Policy')) headers.set('Referrer-Policy', 'no-referrer');
    if (!headers.has(OPENER_POLICY)) headers.set(OPENER_POLICY, 'same-origin');
    headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  };
}

/**
 * Leaves the window in the hands of the page that opened it. A client in a browser opens the way to its consent in a
 * window of its own, and would take one that is cut off from it for closed: https://github.com/ory/network/issues/451
 */
export function openable(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    context.res.headers.set(OPENER_POLICY, 'unsafe-none');
  };
}

const OPENER_POLICY = 'Cross-Origin-Opener-Policy';

/**
 * Refuses requests for another host: a foreign page whose name was made to lead to 127.0.0.1 (DNS rebinding) could
 * read the wiki through the browser of the person who looks at it.
 */
export function onlyFor(hosts: readonly string[], origin = `http://${hosts[0]}`): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host')?.toLowerCase() ?? '';
    if (hosts.includes(host)) return next();
    return context.text(`Nothing is served here for this host. Open ${origin}/ instead.\n`, 421);
  };
}
