import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { customResourceEvent } from '#cdk/provisioning/custom-resource';
import { makeKeys } from '#cdk/provisioning/make-keys';
import { createSecretStore } from '#cdk/provisioning/secret-store';

const secrets = createSecretStore(new SecretsManagerClient({}));

export const handler = (event: unknown) => makeKeys(customResourceEvent.parse(event), secrets);
