import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { customResourceEvent } from '#cdk/provisioning/custom-resource';
import { makeKeys } from '#cdk/provisioning/make-keys';
import { createSecretStore } from '#cdk/provisioning/secret-store';
import { Table } from '#functions/data/table/table';

const deps = {
  secrets: createSecretStore(new SecretsManagerClient({})),
  table: (name: string) => new Table({ name }),
};

export const handler = (event: unknown) => makeKeys(customResourceEvent.parse(event), deps);
