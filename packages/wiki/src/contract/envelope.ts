import * as z from 'zod';
import { errorCodes, type WikiError } from './errors.ts';
import { scope } from './scope.ts';
import { contentReference } from './uploads/content-reference.ts';
import { CONTRACT_FINGERPRINT, CONTRACT_VERSION } from './versions/contract-version.ts';

/**
 * The form in which a call and its answer travel between processes: plain JSON, one request, one reply. The
 * two sides may have different versions, as one of them is updated first, or rolled back.
 */

/*
 * How the contract may change: a field that is added to an input is optional, and in a write without a default, since an
 * omitted field must not change the digest of a request. A field that is added to an output has a default. Nothing is
 * removed, and no default changes. `pnpm contract` checks it and raises the version.
 */

const contract = z.int().min(1).optional();
const fingerprint = z.string().max(64).optional();

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
  // A backend that does not know scopes refuses a request that has one.
  scope: scope.optional(),
  // In place of the input's `content`, to a side that has taken the parts of it.
  content: contentReference().optional(),
  // Version 1 refuses a request with this field, so it is sent only to a side that has sent its own version.
  contract,
  // Version 2 refuses a request with this one.
  fingerprint,
});
export type Request = z.infer<typeof request>;

/**
 * Starts a process that answers requests, and asks it for nothing, so that it needs no proof of who calls. One that does not
 * know it answers with an error, and has started too.
 */
export const START = { pagetree: 1, start: true } as const;

export function isStart(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'start' in event && event.start === true;
}

export const reply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), contract, fingerprint, output: z.unknown() }),
  z.object({
    ok: z.literal(false),
    contract,
    fingerprint,
    error: z.object({
      // A newer side may know more codes.
      code: z.enum(errorCodes).catch('internal'),
      text: z.object({
        happened: z.string(),
        now: z.string(),
        next: z.string(),
        atTerminal: z.string().optional(),
      }),
      data: z.record(z.string(), z.unknown()),
    }),
  }),
]);
export type Reply = z.infer<typeof reply>;

/** The facts that each side states about its contract. */
export const contractOfThisSide = { contract: CONTRACT_VERSION, fingerprint: CONTRACT_FINGERPRINT };

export function errorReply(error: WikiError): Reply {
  return {
    ok: false,
    ...contractOfThisSide,
    error: { code: error.code, text: error.text, data: error.data },
  };
}
