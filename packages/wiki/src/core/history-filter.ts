import type { CommitInfo } from './commit-info.ts';
import type { HistoryQuery } from './index-port.ts';

/** True if a commit meets the conditions of a query other than its page. */
export function isWanted(
  { since, until, author, agent }: Pick<HistoryQuery, 'since' | 'until' | 'author' | 'agent'>,
  commit: CommitInfo,
): boolean {
  if (since !== undefined && commit.committed < since) return false;
  if (until !== undefined && commit.committed > until) return false;
  if (agent !== undefined && !isAgent(commit.agent, agent)) return false;
  return author === undefined || isAuthor(commit.author, author);
}

/** True if `part` is part of the author's name or email, in any case. */
export function isAuthor({ name, email }: { name: string; email: string }, part: string): boolean {
  return `${name} <${email}>`.toLowerCase().includes(part.toLowerCase());
}

function isAgent(agent: string | null, part: string): boolean {
  return agent !== null && lowerCase(agent).includes(lowerCase(part));
}

/** Program names are ASCII: their case is folded as in SQLite. */
export function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
