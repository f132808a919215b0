/** True if a slow command should run: PAGETREE_COMMANDS is `all`, or a part of the commands to run. */
export function heavyCommands(line: string): boolean {
  const chosen = process.env.PAGETREE_COMMANDS;
  return chosen !== undefined && (chosen === 'all' || line.includes(chosen));
}
