import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { customResourceEvent } from '#cdk/provisioning/custom-resource';
import { makePair } from '#cdk/provisioning/make-pair';
import { createSecretStore } from '#cdk/provisioning/secret-store';

const secrets = createSecretStore(new SecretsManagerClient({}));

export const handler = (event: unknown) => makePair(customResourceEvent.parse(event), secrets);
