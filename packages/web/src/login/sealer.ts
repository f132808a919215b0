import { jwtDecrypt } from 'jose/jwt/decrypt';
import { EncryptJWT } from 'jose/jwt/encrypt';
import type * as z from 'zod';

/** The parts of a login that are kept in cookies. One cannot be taken for the other. */
export type Purpose = 'session' | 'pending login';

/**
 * Encrypts what a browser keeps for us, so that it can neither read nor change it. Every process with the same key opens
 * what another one sealed.
 */
export class Sealer {
  readonly #key: Uint8Array;
  readonly #now: () => number;
  readonly #issuer: string;

  /**
   * `key` has 32 bytes. `now` is in milliseconds since 1970. `issuer` is where people log in: the same subject is
   * somebody else at another one, so what was sealed for that one is not opened.
   */
  constructor(key: Uint8Array, now: () => number, issuer: string) {
    this.#key = key;
    this.#now = now;
    this.#issuer = issuer;
  }

  seal(purpose: Purpose, content: unknown, untilMs: number): Promise<string> {
    return new EncryptJWT({ content })
      .setProtectedHeader(METHOD)
      .setIssuer(this.#issuer)
      .setAudience(purpose)
      .setExpirationTime(Math.floor(untilMs / 1_000))
      .encrypt(this.#key);
  }

  /** Null if it was not sealed with this key for this purpose, or if its time is over. */
  async open<Schema extends z.ZodType>(
    purpose: Purpose,
    sealed: string,
    schema: Schema,
  ): Promise<z.output<Schema> | null> {
    if (sealed.length > MAX_COOKIE_BYTES) return null;
    try {
      const { payload } = await jwtDecrypt(sealed, this.#key, {
        issuer: this.#issuer,
        audience: purpose,
        currentDate: new Date(this.#now()),
        requiredClaims: ['exp'],
        keyManagementAlgorithms: [METHOD.alg],
        contentEncryptionAlgorithms: [METHOD.enc],
      });
      return schema.safeParse(payload.content).data ?? null;
    } catch {
      // Whatever is wrong with it, the browser has to log in again.
      return null;
    }
  }
}

const METHOD = { alg: 'dir', enc: 'A256GCM' };

/** A browser keeps no larger cookie, and a proxy takes no much larger header. */
export const MAX_COOKIE_BYTES = 4_000;
