import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';

/**
 * Makes a token for `pnpm serve --token-file`. With a file it is written there, for nobody else to read, and never in
 * place of another.
 */
export async function makeToken(file: string | null): Promise<{ done: boolean; said: string }> {
  const token = randomBytes(32).toString('base64url');
  if (file === null) return { done: true, said: token };
  try {
    await writeFile(file, `${token}\n`, { flag: 'wx', mode: 0o600 });
    return { done: true, said: `A new token is in ${file}, which only you can read.` };
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const fault = error instanceof Error ? error.message : String(error);
    return {
      done: false,
      said: exists ? `${file} is there already. Nothing was changed.` : `No token was made: ${fault}.`,
    };
  }
}
