import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { languageDocs } from '../../../wiki/test/links/language-docs.ts';
import { git, temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { commitFiles } from '../../../wiki/test/operations/local-backends.ts';
import { corpus } from '../render/corpora-config.ts';
import { exportSite } from './export-site.ts';
import { serveFiles } from './file-server.ts';
import { followLinks } from './follow-links.ts';

test('no link of foam-docs is dead', () =>
  follow((repository) => {
    git('.', ['clone', '--quiet', '--bare', corpus('foam-docs.bundle'), repository]);
  }));

test('no link of the documentation in nine languages is dead', () =>
  follow((repository) => {
    git('.', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
    commitFiles(repository, languageDocs(null).files);
  }));

async function follow(make: (repository: string) => void): Promise<void> {
  const directory = temporaryDirectory();
  const wikis = join(directory, 'wikis');
  mkdirSync(wikis);
  make(join(wikis, 'docs.git'));
  const site = join(directory, 'site');
  const { code, said, reported } = await exportSite(wikis, site, '--wiki', 'docs');
  expect(code, reported).toBe(0);
  const { deadPlaces, ...followed } = await followLinks(site, await serveFiles(site));
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' }).map((file) =>
    statSync(join(site, file)),
  );
  const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  process.stdout.write(
    `${said}${JSON.stringify({ pages: followed.pages, links: followed.links, deadPlaces: deadPlaces.length, bytes })}\n`,
  );
  expect(followed).toMatchObject({ dead: [], foreign: [], withoutPolicy: [] });
}
