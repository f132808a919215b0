import type { Output } from '../../contract/operations.ts';

export type Finding = Output<'check_wiki'>['findings'][number];

export interface Found {
  finding: Finding;
  /** Suggests possible targets, best first. Called only for findings that are shown. */
  suggest?: () => string[] | Promise<string[]>;
}

export interface Search {
  kinds: readonly Finding['kind'][];
  staleBefore: Date;
  signal?: AbortSignal | undefined;
}
