import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** The text of a secret; empty for a binary one. @throws Error when it does not exist or access is denied */
export async function readSecret(arn: string): Promise<string> {
  const client = new SecretsManagerClient({});
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
    return SecretString ?? '';
  } finally {
    client.destroy();
  }
}
