import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Wiki } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { mirrorFolder } from './mirror.ts';

test.each(['wikis', 'link', 'wikis/in/it', 'link/in/it', '.'])(
  '%s is refused beside wikis',
  async (folder) => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'wikis'));
    symlinkSync('wikis', join(directory, 'link'));
    const said = await mirrorFolder({
      folder: join(directory, folder),
      // Refused before it is asked for anything.
      wiki: {} as Wiki,
      wikis: join(directory, 'wikis'),
      name: null,
      author: { name: 'Ada', email: 'ada@example.org' },
      scope: null,
      lookEveryMs: 100,
      signal: AbortSignal.abort(),
      platform: 'linux',
      now: Date.now,
      randomBytes: (count) => new Uint8Array(count),
      say: () => undefined,
    });
    expect(said).toMatch(/cannot be a mirror: the wikis themselves are in/);
  },
);
