import type { Wiki } from '@pagetree/wiki/contract';

/** Where the wiki is. */
export interface Backend {
  wiki: Wiki;
  /** Where it is, for people. */
  place: string;
  /** How often subscriptions may look for changes. */
  watchEveryMs: number;
  /** Finishes what was begun and lets go of everything; nothing that was acknowledged is lost without it. */
  close(): Promise<void>;
}

export interface BackendOptions {
  /** In a folder of this machine: makes the wiki that calls mean which name none, where it is missing. */
  makesDefaultWiki: boolean;
}

/** The versions that wiki_status tells, by name. */
export type Versions = Record<string, string>;
