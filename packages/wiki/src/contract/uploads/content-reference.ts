import * as z from 'zod';

/** The name of an upload. Its caller chooses it, and nobody can guess it. */
export const uploadId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits');

/** Stands for the bytes of a call that were uploaded before, in parts. */
export const contentReference = () =>
  z.strictObject({
    upload: uploadId,
    bytes: z.int().min(1),
    sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'),
  });
export type ContentReference = z.infer<ReturnType<typeof contentReference>>;

/** The most bytes that travel within a request: in Base64 they leave room for the rest of a payload of Lambda. */
export const MAX_BYTES_IN_REQUEST = 4_500_000;
/** The length of every part but the last. */
export const PART_BYTES = 4_000_000;
