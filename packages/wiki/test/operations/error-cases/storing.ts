import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../../src/contract/limits.ts';
import type { OperationName } from '../../../src/contract/operations.ts';
import { packOf } from '../../git-input/bundles.ts';
import { zipOf, zipThatSays } from '../archives.ts';
import { SYNC_REPORT } from '../sync-report.ts';
import type { TestWiki } from '../test-wiki.ts';
import { type Cases, given, headOf, NO_PATH, OLD_REQUEST, OTHER_VERSION, ofWrite } from './cases.ts';
import {
  FILE,
  LARGE,
  opened,
  PAGE,
  repositoryOf,
  small,
  unanswered,
  versionOf,
  withLargeCommit,
  withLargeFolder,
} from './places.ts';

const version = versionOf(FILE);
const content = Buffer.from('other').toString('base64');
const file = { path: 'Page.md', version: versionOf(PAGE), size: 5 };
const committed = (changed: object) => given({ files: [{ ...file, ...changed }], content });
const part = { upload: '0'.repeat(32), content };
const lost = { write_state_unknown: given({}, unanswered) };
const LARGE_PACK = packOf([], 20_001).toString('base64');

/** Operations on files, on whole wikis, and on what git stores. */
export const STORING = {
  put_attachment: {
    ...ofWrite({ path: 'b.bin', content }, given({ path: 'b.bin', content: btoa(FILE) }, small)),
    already_exists: given({ path: 'a.bin', content }),
  },
  get_attachment: {
    invalid_path: given({ path: NO_PATH }),
    too_large: given({ path: 'a.bin' }, small),
  },
  delete_attachment: ofWrite(
    { path: 'a.bin', version },
    given({ path: 'large/a.bin', version }, withLargeFolder),
  ),
  read_files: {
    invalid_path: given({ files: [{ path: NO_PATH, version }] }),
    too_large: given({ files: [{ path: 'a.bin', version }] }, small),
  },
  commit_files: {
    version_conflict: committed({ version: OTHER_VERSION }),
    invalid_path: committed({ path: NO_PATH }),
    too_large: committed({ size: limits.pageBytes + 1 }),
    write_state_unknown: given({ files: [file], content, request_id: OLD_REQUEST }),
  },
  list_refs: { too_large: given({}, manyRefs) },
  send_objects: { too_large: given({ wants: [LARGE] }, withLargeFolder) },
  receive_push: {
    version_conflict: given({ to: OTHER_VERSION }),
    too_large: given(async (wiki) => ({ from: await headOf(wiki), to: OTHER_VERSION, content: LARGE_PACK })),
    write_state_unknown: given(async (wiki) => ({ to: await headOf(wiki) }), unanswered),
  },
  merge_commits: {
    too_large: given({ commit: OTHER_VERSION, source: 'elsewhere', content: LARGE_PACK }),
    write_state_unknown: given(
      async (wiki) => ({ commit: await headOf(wiki), source: 'elsewhere' }),
      unanswered,
    ),
  },
  upload_part: {
    too_large: given({ ...part, total: limits.importBytes + 1 }),
    write_state_unknown: given({ ...part, total: 5 }, unanswered),
  },
  create_wiki: {
    too_large: given({ wiki: 'test' }, withLargeCommit),
    write_state_unknown: given({ wiki: 'new', request_id: OLD_REQUEST }),
    already_exists: given({ wiki: 'test' }),
  },
  import_wiki: {
    invalid_path: given(async () => ({ content: await zipOf({ 'CON.md': 'x' }) })),
    too_large: given({ content: zipThatSays(limits.attachmentBytes, 3, 'bin') }),
    write_state_unknown: given(async () => ({
      content: await zipOf({ 'New.md': 'x' }),
      request_id: OLD_REQUEST,
    })),
    already_exists: given(async () => ({ content: await zipOf({ 'Page.md': 'x' }) })),
  },
  export_wiki: { too_large: given({}, small) },
  maintain_wiki: lost,
  set_remote: lost,
  report_sync: {
    write_state_unknown: given({ url: 'https://example.org/x.git', report: SYNC_REPORT }, unanswered),
  },
  sync_wiki: lost,
} satisfies Partial<Record<OperationName, Cases>>;

/** A wiki with more tags than are listed. */
async function manyRefs(): Promise<TestWiki> {
  const wiki = await opened({ 'Page.md': PAGE });
  const head = await headOf(wiki);
  const tags = Array.from({ length: 10_000 }, (_, at) => `${head} refs/tags/${at}\n`);
  writeFileSync(join(await repositoryOf(wiki), 'packed-refs'), [...tags, `${head} refs/tags/x\n`].join(''));
  return wiki;
}
