import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { SecretStore } from '#cdk/provisioning/custom-resource';

export function createSecretStore(client: SecretsManagerClient): SecretStore {
  return {
    async read(arn) {
      const secret = await client.send(new GetSecretValueCommand({ SecretId: arn }));
      return secret.SecretString ?? '';
    },
    async write(arn, value) {
      await client.send(new PutSecretValueCommand({ SecretId: arn, SecretString: value }));
    },
  };
}
