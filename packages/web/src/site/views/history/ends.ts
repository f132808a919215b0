/** One end of a comparison: the page at a path as it stood after a commit. */
export interface End {
  commit: string;
  path: string;
}

/** An end in an address: `COMMIT`, or as in git `COMMIT:PATH` if the page had another path than `address` then. */
export function writeEnd({ commit, path }: End, address: string): string {
  return path === address ? commit : `${commit}:${path}`;
}

/** The path is undefined if the address does not name it. */
export function readEnd(text: string): { commit: string; path: string | undefined } {
  const colon = text.indexOf(':');
  if (colon === -1) return { commit: text, path: undefined };
  return { commit: text.slice(0, colon), path: text.slice(colon + 1) };
}
