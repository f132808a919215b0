import type { Call, Wiki } from '@pagetree/wiki/contract';

/** A caller that was let in. */
export interface GitCaller {
  /** Limited to what the caller may see and change. */
  wiki: Wiki;
  call: Pick<Call, 'caller' | 'scope'>;
  /** A text of its own for each person, if there are several: each takes only a part of the turns. */
  person?: string | undefined;
  /** Says why a wiki takes no pushes from this caller; null if it does. */
  pushRefusal(wiki: string): string | null;
  /** Aborts when the caller may not do any more what it may now. */
  until?: AbortSignal | undefined;
}

/** One request of a caller. */
export interface GitRequest extends Omit<GitCaller, 'call'> {
  name: string;
  call: Call;
  version: string;
}
