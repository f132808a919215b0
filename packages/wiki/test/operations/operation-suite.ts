import { attachmentsSuite } from './attachments.suite.ts';
import { batchesSuite } from './batches.suite.ts';
import { checkingSuite } from './checking.suite.ts';
import { historySuite } from './history.suite.ts';
import { maintenanceSuite } from './maintenance.suite.ts';
import { movingSuite } from './moving.suite.ts';
import { partsSuite } from './parts.suite.ts';
import { readingSuite } from './reading.suite.ts';
import { requestsSuite } from './requests.suite.ts';
import type { Backend } from './test-wiki.ts';
import { transferSuite } from './transfer.suite.ts';
import { wikisSuite } from './wikis.suite.ts';
import { writingSuite } from './writing.suite.ts';

/** Everything that an operation promises, on whatever way there is to a wiki. */
export function operationSuite(backend: Backend): void {
  readingSuite(backend);
  writingSuite(backend);
  partsSuite(backend);
  movingSuite(backend);
  attachmentsSuite(backend);
  batchesSuite(backend);
  checkingSuite(backend);
  historySuite(backend);
  maintenanceSuite(backend);
  requestsSuite(backend);
  wikisSuite(backend);
  transferSuite(backend);
}
