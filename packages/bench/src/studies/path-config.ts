/** The search path for programs: all that a process needs of this one's environment. */
export function searchPath(): string {
  return process.env.PATH ?? '';
}
