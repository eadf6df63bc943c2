import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { customResourceEvent } from '#cdk/provisioning/custom-resource';
import { makeFirstAdmin } from '#cdk/provisioning/make-first-admin';
import { createSecretStore } from '#cdk/provisioning/secret-store';
import { Table } from '#functions/data/table/table';
import { systemRuntime } from '#functions/platform/runtime';

const deps = {
  secrets: createSecretStore(new SecretsManagerClient({})),
  openTable: (name: string) => new Table({ name }),
  runtime: systemRuntime,
};

export const handler = (event: unknown) => makeFirstAdmin(customResourceEvent.parse(event), deps);
