import type { Context } from 'hono';

/** The facts about a request that are not in the request itself. */
export interface RequestSurroundings {
  /** Resolves when the answer has left the process, or cannot. */
  sent: Promise<unknown>;
  /** Aborts when a stream must end. */
  until: AbortSignal | undefined;
  /** The origin of the pages in the browser, if a proxy stands between. */
  origin: string | undefined;
  /** A digest of the person who is logged in, if people log in. */
  person: string | undefined;
}

/** Resolves when the answer to this request has left the process, or cannot. */
export function sentOf(context: Context): Promise<unknown> {
  return surroundingsOf(context).sent;
}

/** Aborts when the client has left, or when the stream must end. */
export function endOf(context: Context): AbortSignal {
  const { until } = surroundingsOf(context);
  const { signal } = context.req.raw;
  return until === undefined ? signal : AbortSignal.any([signal, until]);
}

export function originOf(context: Context): string | undefined {
  return surroundingsOf(context).origin;
}

export function personOf(context: Context): string | undefined {
  return surroundingsOf(context).person;
}

function surroundingsOf(context: Context): RequestSurroundings {
  return context.env;
}
