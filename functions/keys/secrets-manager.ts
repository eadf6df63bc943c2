import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** Empty for a binary secret. @throws Error if it does not exist or access is denied */
export async function readSecret(arn: string): Promise<string> {
  const client = new SecretsManagerClient({});
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
    return SecretString ?? '';
  } finally {
    client.destroy();
  }
}
