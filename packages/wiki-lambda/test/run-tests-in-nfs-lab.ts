import { type NfsLabOptions, runInNfsLab } from '../../../labs/nfs-lab/run-in-lab.ts';

export interface TestResults {
  passed: number;
  /** The name of each test that did not pass, and why. */
  failed: string[];
}

/** The fields of each test in vitest's JSON report. */
interface Report {
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
}

/** Runs the tests of one file in a new nfs-lab, beside its server. */
export async function runTestsInNfsLab(file: string, options: NfsLabOptions): Promise<TestResults> {
  const config = 'packages/wiki-lambda/test/in-nfs-lab/vitest.config.ts';
  const vitest = `vitest run --config ${config} --configLoader runner --reporter json --outputFile.json /tmp/report ${file}`;
  // Wikis on the server belong to the function, not to the user that judges them; a test that fails is in the report.
  const git = "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'";
  const script = `PATH=node_modules/.bin:$PATH ${git} ${vitest} >&2 || true; cat /tmp/report`;
  const { stdout, stderr } = await runInNfsLab(['bash', '-c', script], options);
  if (stdout === '') throw new Error(`no report came of ${file}:\n${stderr}`);
  const report: Report = JSON.parse(stdout);
  const tests = report.testResults.flatMap((result) => result.assertionResults);
  const failed = tests.filter((result) => result.status !== 'passed');
  return {
    passed: tests.length - failed.length,
    failed: failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('\n')}`),
  };
}
