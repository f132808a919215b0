/** Where programs are found: all that a process needs of this one's environment. */
export function searchPath(): string {
  return process.env.PATH ?? '';
}
