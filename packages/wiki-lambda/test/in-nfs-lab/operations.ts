import { afterAll, beforeAll } from 'vitest';
import { startLambdaLab } from '../../../../labs/lambda-lab/lambda-lab.ts';
import { nfsDirectory, nfsPlaces } from '../../../../labs/lambda-lab/nfs-places.ts';
import { operationSuite } from '../../../wiki/test/operations/operation-suite.ts';
import { functionDirectory } from '../../build.ts';
import { type LambdaPlace, lambdaBackend } from '../lambda-backend.ts';

/** What the server sees of what the clients mount. */
const directory = '/run/srv/wikis';

let place: LambdaPlace;

beforeAll(async () => {
  const variables = { PAGETREE_DIR: nfsDirectory };
  const lab = await startLambdaLab({
    code: functionDirectory,
    places: nfsPlaces(),
    concurrency: 3,
    variables,
    // Here the operations are judged, not how long a busy machine takes for them.
    timeoutMs: 120_000,
  });
  place = { lab, directory };
});
afterAll(() => place.lab.stop());

operationSuite(lambdaBackend('Lambda on NFS', () => place));
