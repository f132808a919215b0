import { afterEach, beforeEach, onTestFinished, vi } from 'vitest';
import { type Aws, openAws } from '../src/aws/aws.ts';
import { type Asked, type AwsEndpoint, type Script, startAwsEndpoint } from './aws-endpoint.ts';

export interface ScriptedAws {
  /** An account whose answers are those of the script, and for the rest those that are good. */
  open(script?: Script): Promise<Aws>;
  /** The requests in this test. */
  asked(): readonly Asked[];
}

/** For the tests of one file; what a test opened is closed after it. */
export function scriptedAws(good: Script): ScriptedAws {
  let endpoint: AwsEndpoint | undefined;
  beforeEach(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'testing');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'testing');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  return {
    async open(script = {}) {
      const others = Object.entries(good).filter(([name]) => !(name in script));
      endpoint = await startAwsEndpoint({ ...script, ...Object.fromEntries(others) });
      onTestFinished(endpoint.stop);
      vi.stubEnv('AWS_ENDPOINT_URL', endpoint.url);
      const aws = await openAws({ region: 'us-east-2', attempts: 2 });
      onTestFinished(() => aws.close());
      return aws;
    },
    asked: () => endpoint?.asked ?? [],
  };
}
