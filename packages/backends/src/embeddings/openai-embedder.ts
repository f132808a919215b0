import type { Embedder } from '@pagetree/wiki';
import { cureByPerson, WikiError } from '@pagetree/wiki/contract';
import { z } from 'zod';
import type { EmbeddingsConfig } from './config.ts';

/**
 * Vectors from an endpoint with OpenAI's interface, `POST /embeddings`, as Ollama, llama.cpp, vLLM, OpenAI and others
 * have it.
 */
export function openAiEmbedder({ url, model, key }: EmbeddingsConfig): Embedder {
  const address = new URL(url);
  address.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`;
  const headers = {
    'content-type': 'application/json',
    ...(key !== null && { authorization: `Bearer ${key}` }),
  };
  /** OpenAI itself refuses `input_type`; others need it to tell questions from texts. */
  let takesUse = true;

  return {
    name: `${address.origin}${address.pathname} ${model}`,

    async embed(texts, use, signal) {
      const post = (withUse: boolean) => {
        const body = { model, input: texts, ...(withUse && { input_type: use }) };
        return fetch(address, { method: 'POST', headers, body: JSON.stringify(body), signal });
      };
      try {
        let response = await post(takesUse);
        if (takesUse && REFUSED.has(response.status)) {
          await response.body?.cancel();
          response = await post(false);
          takesUse = !response.ok;
        }
        if (!response.ok) {
          await response.body?.cancel();
          // Its words may repeat the texts, which not every caller may see.
          throw failure(`it answered ${response.status}`);
        }
        return vectorsIn(JSON.parse(await readBounded(response)), texts.length);
      } catch (error) {
        throw error instanceof WikiError ? error : failure(describe(error, signal));
      }
    },
  };
}

const REFUSED = new Set([400, 422]);

/** The body as text. A server that sends without end must not fill the memory. */
async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) throw failure('its answer is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** A batch of texts with 4,000 numbers each has a tenth of it. */
const MAX_ANSWER_BYTES = 20_000_000;

/** The vectors in an answer, in the order of the texts. */
function vectorsIn(answer: unknown, count: number): Float32Array[] {
  const parsed = answerSchema.safeParse(answer);
  const rows = parsed.data?.data ?? [];
  const byIndex = new Map(rows.map(({ index, embedding }, at) => [index ?? at, embedding]));
  return Array.from({ length: count }, (_, index) => {
    const embedding = byIndex.get(index);
    if (embedding !== undefined) return Float32Array.from(embedding);
    throw failure('its answer does not have a vector for each text');
  });
}

const MAX_DIMENSION = 16_384;
const answerSchema = z.object({
  data: z.array(
    z.object({ index: z.number().optional(), embedding: z.array(z.number()).min(1).max(MAX_DIMENSION) }),
  ),
});

function failure(reason: string): WikiError {
  return new WikiError('backend_unavailable', {
    happened: `The provider of embeddings failed: ${reason}.`,
    now: 'Nothing was read or changed.',
    ...cureByPerson('check PAGETREE_EMBEDDINGS_URL, PAGETREE_EMBEDDINGS_MODEL and PAGETREE_EMBEDDINGS_KEY.'),
  });
}

function describe(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'it did not answer in time';
  if (error instanceof SyntaxError) return 'its answer is not JSON';
  const { cause } = error as { cause?: { code?: unknown } };
  return `it cannot be reached${typeof cause?.code === 'string' ? ` (${cause.code})` : ''}`;
}
