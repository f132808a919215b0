import { afterAll, beforeAll } from 'vitest';
import { startLambdaLab } from '../../../../labs/lambda-lab/lambda-lab.ts';
import { nfsDirectory, nfsPlaces } from '../../../../labs/lambda-lab/nfs-places.ts';
import { batchesSuite } from '../../../wiki/test/operations/suites/batches.suite.ts';
import { maintenanceSuite } from '../../../wiki/test/operations/suites/maintenance.suite.ts';
import { requestsSuite } from '../../../wiki/test/operations/suites/requests.suite.ts';
import { wikisSuite } from '../../../wiki/test/operations/suites/wikis.suite.ts';
import { functionDirectory } from '../../build.ts';
import { type LambdaPlace, lambdaBackend } from '../lambda-backend.ts';

/** The server's path of the directory that the clients mount. */
const directory = '/run/srv/wikis';

let place: LambdaPlace;

beforeAll(async () => {
  const variables = { PAGETREE_DIR: nfsDirectory };
  const lab = await startLambdaLab({
    code: functionDirectory,
    places: nfsPlaces(),
    concurrency: 3,
    variables,
    // The operations are judged here, not the speed of a busy machine.
    timeoutMs: 120_000,
  });
  place = { lab, directory };
});
afterAll(() => place.lab.stop());

const backend = lambdaBackend('Lambda on NFS', () => place);
// First: it tidies every wiki of the backend, and each test leaves one.
maintenanceSuite(backend);
batchesSuite(backend);
requestsSuite(backend);
wikisSuite(backend);
