import { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { Site } from '../site/site.ts';
import { type Handler, onFunctionUrl, plain } from './function-url.ts';

/** The site for an origin. Rejects if it cannot be opened now. */
export type SiteAt = (origin: string) => Promise<Pick<Site, 'fetch'>>;

export interface HandlerOptions {
  siteAt: SiteAt;
  /** The origin of the pages in the browser, if CloudFront stands before the Function URL; null without it. */
  origin: string | null;
  log(line: string): void;
}

/**
 * Answers the requests to a Function URL. Compresses: a Function URL does not, and the answers travel, unlike those of
 * `pnpm serve`. Runs in Lambda alone, whose runtime brings the streams.
 */
export function createHandler({ siteAt, origin, log }: HandlerOptions): Handler {
  const app = new Hono<{ Bindings: { sent: Promise<unknown> } }>();
  app.use(compress());
  app.all('*', async ({ req: { raw }, env: { sent } }) => {
    // AWS itself says by which host the Function URL was asked.
    const request = origin === null ? raw : askedAt(origin, raw);
    let site: Awaited<ReturnType<SiteAt>>;
    try {
      site = await siteAt(new URL(request.url).origin);
    } catch (error) {
      log(`the pages cannot be opened: ${error instanceof Error ? error.message : String(error)}`);
      return plain('These pages cannot be opened at the moment. Try again.', 503, { 'Retry-After': '2' });
    }
    return site.fetch(request, sent);
  });
  app.onError((error) => {
    throw error;
  });
  return onFunctionUrl(async (request, sent) => app.fetch(request, { sent }), log);
}

/** Answers every request with the faults of the set-up. */
export function misconfigured(problems: readonly string[]): SiteAt {
  const text = `These pages are set up wrongly. ${problems.join(' ')}`;
  return async () => ({ fetch: async () => plain(text, 503) });
}

/** The request as the browser sent it: CloudFront asks by the host of the Function URL. */
function askedAt(origin: string, raw: Request): Request {
  const { pathname, search } = new URL(raw.url);
  const headers = new Headers(raw.headers);
  headers.set('Host', new URL(origin).host);
  return new Request(new Request(origin + pathname + search, raw), { headers });
}
