import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { common } from './vitest.labs.config.ts';
import { temporaryFilesInMemory } from './vitest.memory.config.ts';

/**
 * The labs of the gate: of each what a change would most likely break. They hold no time, and run two at once.
 * `labs/sample.ts` makes them take less than in `pnpm test:full`.
 */
export const GATE = [
  // Real NFS, the real runtime client, and both: exactly once among faults.
  'labs/*/{nfs-lab,lambda-lab}.lab.test.ts',
  'packages/wiki-lambda/test/{lambda,operations,writes-on-nfs}.lab.test.ts',
  'packages/wiki/test/storage/races/race.lab.test.ts',
  'packages/bench/src/storage/round-trips.lab.test.ts',
  'packages/bench/src/git/race.lab.test.ts',
  // The nightly maintenance, through all of many wikis.
  'packages/bench/src/maintenance/small-wikis.lab.test.ts',
  // Real clients, from a clone that has nothing installed.
  'packages/mcp-server/test/aws/lambda-lab.lab.test.ts',
  'packages/mcp-server/test/{clients/conformance,http/http-clients}.lab.test.ts',
  'packages/mcp-server/test/commands/fresh-clone.lab.test.ts',
  // People's browser.
  'packages/web/test/{accessibility,attacks,browser,cross-site}.lab.test.ts',
  'packages/web/test/items/{items,writing,editor}.lab.test.ts',
  'packages/web/test/static-site/static-site.lab.test.ts',
  'packages/web/test/writers/writers.lab.test.ts',
  // Clients that ask people for access.
  'packages/web/test/oauth/{metadata-documents,conformance}.lab.test.ts',
  'packages/web/test/lambda/clients.lab.test.ts',
  // People who log in at once, through two functions.
  'packages/bench/src/{clients/clients,team/team}.lab.test.ts',
  // A real wiki.
  'packages/wiki/test/operations/foam-docs.lab.test.ts',
];

/** Runs the labs of the Lambda runtime last: until then `labs/compile-early.ts` has compiled its client for them. */
class LambdaLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLambda = ({ moduleId }: TestSpecification): boolean => /lambda|src\/team/.test(moduleId);
    return [...sorted.filter((file) => !isLambda(file)), ...sorted.filter(isLambda)];
  }
}

export default defineConfig({
  test: {
    ...common,
    include: GATE,
    globalSetup: 'labs/compile-early.ts',
    sequence: { sequencer: LambdaLast },
    // The reporter that shows what a test counted even if it passed.
    reporters: ['verbose'],
    env: { ...temporaryFilesInMemory(), PAGETREE_SAMPLE: '1' },
    maxWorkers: 2,
  },
});
