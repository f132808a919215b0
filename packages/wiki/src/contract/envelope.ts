import * as z from 'zod';
import { errorCodes, type WikiError } from './errors.ts';
import { scope } from './scope.ts';

/** How a call and its answer travel between processes: plain JSON, one request, one reply. */

const singleLine = z
  .string()
  .max(200)
  .regex(/^[^\n\r\0<>]*$/, 'must be one line without < and >');

export const request = z.strictObject({
  pagetree: z.literal(1),
  operation: z.string().max(80),
  input: z.unknown(),
  caller: z.strictObject({
    author: z.strictObject({ name: singleLine.min(1), email: singleLine }),
    agent: singleLine.nullable(),
  }),
  // A backend that does not know of scopes refuses a request that has one.
  scope: scope.optional(),
});
export type Request = z.infer<typeof request>;

export const reply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), output: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error: z.object({
      code: z.enum(errorCodes),
      text: z.object({ happened: z.string(), now: z.string(), next: z.string() }),
      data: z.record(z.string(), z.unknown()),
    }),
  }),
]);
export type Reply = z.infer<typeof reply>;

export function errorReply(error: WikiError): Reply {
  return { ok: false, error: { code: error.code, text: error.text, data: error.data } };
}
