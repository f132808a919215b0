import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { LOCAL_FILES } from '../../../wiki/test/operations/error-cases/local-files.ts';
import { openLocal } from '../../../wiki/test/operations/local-backends.ts';
import { TestWiki } from '../../../wiki/test/operations/test-wiki.ts';
import { openLocalFiles } from './local-files.ts';
import { withLocalFiles } from './with-local-files.ts';

test.each(LOCAL_FILES)('$operation raises $code where a file lies', async ({ operation, code, input }) => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'taken'), '');
  const files = openLocalFiles([folder]);
  const options = { savesFiles: true, isRemote: false };
  const opened = await openLocal({ 'a.bin': 'x' }, (wiki) => withLocalFiles(wiki, files, options));
  expect((await new TestWiki(opened).refused(operation, input)).code).toBe(code);
});
