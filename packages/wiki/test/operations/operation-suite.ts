import { attachmentsSuite } from './suites/attachments.suite.ts';
import { batchesSuite } from './suites/batches.suite.ts';
import { blameSuite } from './suites/blame.suite.ts';
import { checkingSuite } from './suites/checking.suite.ts';
import { editedAnchorsSuite } from './suites/edited-anchors.suite.ts';
import { findingSuite } from './suites/finding.suite.ts';
import { foldersSuite } from './suites/folders.suite.ts';
import { historySuite } from './suites/history.suite.ts';
import { linkChecksSuite } from './suites/link-checks.suite.ts';
import { linksSuite } from './suites/links.suite.ts';
import { listingSuite } from './suites/listing.suite.ts';
import { maintenanceSuite } from './suites/maintenance.suite.ts';
import { movingSuite } from './suites/moving.suite.ts';
import { netEffectSuite } from './suites/net-effect.suite.ts';
import { partsSuite } from './suites/parts.suite.ts';
import { passagesSuite } from './suites/passages.suite.ts';
import { pastSuite } from './suites/past.suite.ts';
import { readingSuite } from './suites/reading.suite.ts';
import { requestsSuite } from './suites/requests.suite.ts';
import { supersedingSuite } from './suites/superseding.suite.ts';
import { takingBackSuite } from './suites/taking-back.suite.ts';
import { transferSuite } from './suites/transfer.suite.ts';
import { undoingSuite } from './suites/undoing.suite.ts';
import { viewingSuite } from './suites/viewing.suite.ts';
import { wikisSuite } from './suites/wikis.suite.ts';
import { writingSuite } from './suites/writing.suite.ts';
import type { Backend } from './test-wiki.ts';

/** Everything that an operation promises, on whatever way there is to a wiki. */
export function operationSuite(backend: Backend): void {
  // First: it tidies every wiki of the backend, and each test leaves one.
  maintenanceSuite(backend);
  writingSuite(backend);
  movingSuite(backend);
  takingBackSuite(backend);
  attachmentsSuite(backend);
  batchesSuite(backend);
  undoingSuite(backend);
  historySuite(backend);
  blameSuite(backend);
  requestsSuite(backend);
  wikisSuite(backend);
  transferSuite(backend);
  listingSuite(backend);
  readingSuite(backend);
  pastSuite(backend);
  passagesSuite(backend);
  supersedingSuite(backend);
  findingSuite(backend);
  partsSuite(backend);
  linksSuite(backend);
  editedAnchorsSuite(backend);
  netEffectSuite(backend);
  checkingSuite(backend);
  linkChecksSuite(backend);
  viewingSuite(backend);
  foldersSuite(backend);
}
