/** An endpoint as OpenAI documents it, which turns texts into vectors. */
export interface EmbeddingsConfig {
  /** The address below which `/embeddings` lies. */
  url: URL;
  model: string;
  /** Sent as a bearer token; null for an endpoint that asks for none. */
  key: string | null;
}

/** Null if nothing is set. Faults are added to `problems`. */
export function readEmbeddings(
  { address, model, key }: { address: string | null; model: string | null; key: string | null },
  problems: string[],
): EmbeddingsConfig | null {
  if (address === null && model === null) return null;
  if (address === null || model === null) {
    problems.push(
      `${address === null ? 'PAGETREE_EMBEDDINGS_MODEL' : 'PAGETREE_EMBEDDINGS_URL'} is set alone: set PAGETREE_EMBEDDINGS_URL and PAGETREE_EMBEDDINGS_MODEL, or neither.`,
    );
    return null;
  }
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    problems.push(
      `PAGETREE_EMBEDDINGS_URL is ${JSON.stringify(address)}, but must be an address such as http://localhost:11434/v1.`,
    );
    return null;
  }
  if (url.username !== '' || url.password !== '') {
    problems.push('PAGETREE_EMBEDDINGS_URL has a user in it: give a key in PAGETREE_EMBEDDINGS_KEY instead.');
    return null;
  }
  return { url, model, key };
}
