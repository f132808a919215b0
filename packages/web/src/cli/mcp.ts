import { readFile, stat } from 'node:fs/promises';
import { commandNames, type Surroundings } from '@pagetree/backends/config';
import type { EndpointOptions } from '@pagetree/mcp-server/endpoint';
import type { Endpoint } from '../site/view-tools.ts';

/** The endpoint of agents, loaded when the first of them comes: people need none. */
export function lateEndpoint(options: EndpointOptions): Endpoint {
  let opened: Promise<Endpoint> | null = null;
  const open = async () => {
    const { openEndpoint } = await import('@pagetree/mcp-server/endpoint');
    return openEndpoint(options);
  };
  return {
    fetch: async (request, sent, until) => {
      opened ??= open().catch((error: unknown) => {
        // The next request tries again.
        opened = null;
        throw error;
      });
      return (await opened).fetch(request, sent, until);
    },
    close: async () => {
      const endpoint = await opened?.catch(() => null);
      await endpoint?.close();
    },
  };
}

export type TokenSetting = { kind: 'token'; token: string | null } | { kind: 'mistake'; sentence: string };

/** Reads the token that clients must send; null if no file is named. */
export async function readToken(
  file: string | null,
  { env, platform }: Pick<Surroundings, 'env' | 'platform'>,
): Promise<TokenSetting> {
  if (file === null) return { kind: 'token', token: null };
  const mistake = (fault: string): TokenSetting => ({
    kind: 'mistake',
    sentence: `The file ${file} (--token-file) ${fault}. \`${commandNames(env).mcp} token FILE\` makes one.`,
  });
  try {
    const token = (await readFile(file, 'utf8')).trim();
    if (!TOKEN.test(token)) return mistake('has no token of at least 32 letters, digits, "-" and "_" in it');
    // Windows keeps rights elsewhere.
    const { mode } = await stat(file);
    if (platform !== 'win32' && (mode & 0o077) !== 0) return mistake('can be read by others: chmod 600 it');
    return { kind: 'token', token };
  } catch (error) {
    return mistake(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const TOKEN = /^[\w-]{32,}$/;
