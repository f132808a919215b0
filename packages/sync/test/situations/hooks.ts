import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs a hook in a repository that git serves, and returns what removes it. */
export function installHook(bare: string, name: string, script: string): () => void {
  const file = join(bare, 'hooks', name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return () => rmSync(file);
}
