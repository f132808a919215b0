import type { SSMClient } from '@aws-sdk/client-ssm';
import type { Configuration } from '../configuration/configuration.ts';
import { parameterNames } from './parameter-names.ts';
import { ensureKeys, readParameter, storeClientSecret } from './web-keys.ts';

export type PreparedWeb =
  | { kind: 'ready' /** The public key of the grants; null if there is none. */; grantKey: string | null }
  | { kind: 'mistake'; sentence: string };

/**
 * Makes what the pages of a stack need and no template makes: their keys, and the client's secret.
 *
 * @param clientSecret as given for this deployment; null if none is.
 * @throws The SDK's errors.
 */
export async function prepareWeb(
  { stackName, web }: Configuration,
  client: SSMClient,
  clientSecret: string | null,
): Promise<PreparedWeb> {
  const names = parameterNames(stackName);
  const needsSecret = web?.issuer !== undefined;
  if (clientSecret !== null && !needsSecret)
    return {
      kind: 'mistake',
      sentence: '--client-secret-file is for pages with an issuer of their own (web.issuer). Leave it out.',
    };
  if (web === undefined) return { kind: 'ready', grantKey: null };
  if (clientSecret !== null) await storeClientSecret(client, names.clientSecret, clientSecret);
  else if (needsSecret && (await readParameter(client, names.clientSecret)) === null)
    return {
      kind: 'mistake',
      sentence: `The secret of ${web.clientId} at ${web.issuer} is not stored yet. Put it into a file, and deploy with --client-secret-file FILE.`,
    };
  const keys = await ensureKeys(client, names);
  return keys.kind === 'mistake' ? keys : { kind: 'ready', grantKey: keys.grantKey };
}

/** The public key of the deployed pages; null if there is none. @throws The SDK's errors. */
export async function deployedGrantKey(
  { stackName, web }: Configuration,
  client: SSMClient,
): Promise<string | null> {
  return web === undefined ? null : readParameter(client, parameterNames(stackName).grantKey);
}
