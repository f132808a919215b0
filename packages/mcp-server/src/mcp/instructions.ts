import { describeScope, type Scope } from '@pagetree/wiki/contract';
import { FROM_HOME, instructions } from './introduction.ts';

/** The instructions of a server that is limited to these folders, if it is. */
export function instructionsFor(scope: Scope | null): string {
  if (scope === null) return instructions(FROM_HOME);
  const begin = scope.read.includes('') ? FROM_HOME : withoutHome;
  return `${instructions(begin)}\n\nThis server is limited: ${describeScope(scope)}.`;
}

/** The page is at the root, which a limited server does not show. */
const withoutHome = 'look with search_pages or list_pages for what is known';
