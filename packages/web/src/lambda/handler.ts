import { Hono } from 'hono';
import { streamHandle } from 'hono/aws-lambda';
import { compress } from 'hono/compress';
import type { Site } from '../site/site.ts';

/**
 * Answers the events of a Function URL (payload 2.0) by streaming. Compresses: a Function URL does not, and the answers
 * travel, unlike those of `pnpm serve`. Runs in Lambda alone, whose runtime brings the streams.
 */
export function createHandler(site: Site): ReturnType<typeof streamHandle> {
  const app = new Hono();
  app.use(compress());
  app.all('*', (context) => site.fetch(context.req.raw));
  return streamHandle(app);
}

/** Answers every request with the faults of the set-up. */
export function misconfigured(problems: readonly string[]): Site {
  const text = `These pages are set up wrongly. ${problems.join(' ')}\n`;
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return {
    fetch: async () => new Response(text, { status: 503, headers }),
    warm: async () => {},
    end: async () => {},
  };
}
