import type { WikiOptions } from '@pagetree/wiki';
import type { Wiki } from '@pagetree/wiki/contract';

/** A wiki with its place. */
export interface Backend {
  wiki: Wiki;
  /** True if the wiki is in another process, so that call inputs travel. */
  isRemote: boolean;
  /** The place of the wiki, for people. */
  place: string;
  /** The interval at which subscriptions look for changes. */
  watchEveryMs: number;
  /** Finishes running work and releases all resources. Acknowledged writes are safe without it. */
  close(): Promise<void>;
}

export interface BackendOptions {
  /** The files that may be created in a directory of this machine. */
  makes: NonNullable<WikiOptions['makes']>;
}

/** The versions that wiki_status returns, by name. */
export type Versions = Record<string, string>;
