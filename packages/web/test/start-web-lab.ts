import { type FunctionUrl, serveFunctionUrl } from '../../../labs/lambda-lab/function-url.ts';
import {
  type LambdaLab,
  type LambdaLabOptions,
  startLambdaLab,
} from '../../../labs/lambda-lab/lambda-lab.ts';
import { buildFunction, functionDirectory } from '../../wiki-lambda/build.ts';
import { buildWebFunction, webFunctionDirectory } from '../build.ts';

/** The function that shows pages, behind a Function URL, and the wiki's function, which it invokes. */
export interface WebLab extends Pick<FunctionUrl, 'origin' | 'host'> {
  web: LambdaLab;
  wiki: LambdaLab;
  stop(): Promise<void>;
}

export interface WebLabOptions {
  /** The directory of wikis. */
  directory: string;
  /** Beside those that the function needs. */
  variables?: Record<string, string>;
  /** Options of the lab of either function. */
  ofWeb?: Partial<LambdaLabOptions>;
  ofWiki?: Partial<LambdaLabOptions>;
}

export async function startWebLab(options: WebLabOptions): Promise<WebLab> {
  const { directory, variables = {}, ofWeb = {}, ofWiki = {} } = options;
  await Promise.all([buildFunction(), buildWebFunction()]);
  const wiki = await startLambdaLab({
    code: functionDirectory,
    variables: { PAGETREE_DIR: directory },
    ...ofWiki,
  });
  try {
    const url = await serveFunctionUrl((host) =>
      startLambdaLab({
        code: webFunctionDirectory,
        variables: {
          AWS_ENDPOINT_URL_LAMBDA: wiki.endpoint,
          PAGETREE_FUNCTION: wiki.functionArn,
          PAGETREE_HOSTS: host,
          PAGETREE_WITHOUT_LOGIN: 'true',
          ...variables,
        },
        ...ofWeb,
      }),
    );
    const stop = async () => {
      url.close();
      await url.opened.stop();
      await wiki.stop();
    };
    return { origin: url.origin, host: url.host, web: url.opened, wiki, stop };
  } catch (error) {
    await wiki.stop();
    throw error;
  }
}
