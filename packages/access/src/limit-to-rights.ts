import type { OperationName, Wiki } from '@pagetree/wiki/contract';
import type { Rights } from './rights.ts';

/** An access decision, for a log. It holds no content: no path of a page and no text. */
export interface Decision {
  operation: OperationName;
  /** The wiki that the call is about; null if it is about none. */
  wiki: string | null;
  isAllowed: boolean;
  effect: 'read' | 'write';
}

export interface RightsOptions {
  /** The wiki of calls that name none, if the person may see it. */
  defaultWiki: string | null;
  /** Called once for each access decision, when the answer or the refusal is known. */
  decided(decision: Decision): void;
}

/** The wiki as a person with these rights may see and change it: nothing else is there. */
export declare function limitToRights(wiki: Wiki, rights: Rights, options: RightsOptions): Wiki;
