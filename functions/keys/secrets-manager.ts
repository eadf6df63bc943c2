import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** The text of a secret; empty for one that holds bytes. @throws Error when there is none or it may not be read */
export async function readSecret(arn: string): Promise<string> {
  const client = new SecretsManagerClient({});
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
    return SecretString ?? '';
  } finally {
    client.destroy();
  }
}
