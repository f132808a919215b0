import {
  GetSecretValueCommand,
  InvalidRequestException,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

/** Reads secrets of AWS Secrets Manager by name; null for one that does not exist, or is about to be deleted. */
export function openSecrets(): (name: string) => Promise<string | null> {
  const client = new SecretsManagerClient({
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  });
  return async (name) => {
    try {
      const { SecretString: text } = await client.send(new GetSecretValueCommand({ SecretId: name }));
      return text ?? null;
    } catch (error) {
      if (error instanceof ResourceNotFoundException || error instanceof InvalidRequestException) return null;
      throw error;
    }
  };
}
