import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { customResourceEvent } from '#cdk/provisioning/custom-resource';
import { makeFirstAdmin } from '#cdk/provisioning/make-first-admin';
import { createSecretStore } from '#cdk/provisioning/secret-store';
import { createSessionStore } from '#functions/data/administration/session-store';
import { requireTableFormat } from '#functions/data/table/format';
import { Table } from '#functions/data/table/table';
import { systemRuntime } from '#functions/runtime';

const deps = {
  secrets: createSecretStore(new SecretsManagerClient({})),
  sessions: (tableName: string) => createSessionStore(new Table({ name: tableName })),
  requireFormat: (tableName: string) => requireTableFormat(new Table({ name: tableName })),
  runtime: systemRuntime,
};

export const handler = (event: unknown) => makeFirstAdmin(customResourceEvent.parse(event), deps);
