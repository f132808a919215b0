/** Turns texts into vectors, so that texts of similar meaning get similar ones. */
export interface Embedder {
  /** Identifies the model: vectors of different models cannot be compared. */
  readonly name: string;
  /**
   * One vector for each text, all of the same length. A question may be turned into a vector in another way than the texts
   * that answer it. Throws `backend_unavailable` if there are none to be had.
   */
  embed(texts: readonly string[], use: 'query' | 'document', signal: AbortSignal): Promise<Float32Array[]>;
}
