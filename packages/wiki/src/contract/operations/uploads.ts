import * as z from 'zod';
import * as fields from '../fields.ts';
import { addHints, defineOperation } from '../operation.ts';
import { contentReference, uploadId } from '../uploads/content-reference.ts';

/** The operation behind calls whose bytes do not fit one request: see contract/uploads. */

export const upload_part = defineOperation({
  title: 'Upload a part',
  description:
    'Hold a part of the bytes of a later call, for a day. The same part may come again. Answers which parts are held.',
  input: () =>
    z.strictObject({
      wiki: fields.wiki,
      upload: uploadId,
      /** The place of the part in the bytes. */
      offset: z.int().min(0).optional(),
      /** The length of all parts together. */
      total: z.int().min(1).optional(),
      content: fields.bytes.optional(),
      /** Checks that all parts are there. A caller in the same process gets the bytes. */
      whole: contentReference().omit({ upload: true }).optional(),
      /** Removes all parts. */
      drop: z.boolean().optional(),
    }),
  output: () => z.object({ parts: z.array(z.object({ offset: z.int(), bytes: z.int() })) }),
  effect: 'write',
  hints: addHints,
  errors: ['too_large', 'write_state_unknown'],
  forPrograms: true,
});
