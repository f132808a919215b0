import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DescribedContract } from './described-contract.ts';

/** A contract as a build spoke it. Written once by `pnpm contract`, and never changed: builds that speak it are in use. */
export interface StoredContract extends DescribedContract {
  version: number;
  /** The stored file. */
  text: string;
}

export const CONTRACTS_DIRECTORY = import.meta.dirname;

export function fileOf(version: number): string {
  return join(CONTRACTS_DIRECTORY, `contract-${version}.snapshot`);
}

/** All stored contracts, from version 1 to the newest. */
export function storedContracts(): StoredContract[] {
  const stored: StoredContract[] = [];
  for (let version = 1; existsSync(fileOf(version)); version += 1) {
    const text = readFileSync(fileOf(version), 'utf8');
    stored.push({ ...(JSON.parse(text) as DescribedContract), version, text });
  }
  return stored;
}
