/** Checks the table's format and makes the first admin if there is none. */
import * as z from 'zod/mini';
import type {
  CustomResourceAnswer,
  CustomResourceEvent,
  SecretStore,
} from '#cdk/provisioning/custom-resource';
import { requireTableFormat } from '#functions/data/table/format';
import type { Table } from '#functions/data/table/table';
import { ensureFirstAdmin } from '#functions/domain/administration/admins';
import type { Runtime } from '#functions/platform/runtime';

const properties = z.object({
  secretArn: z.string().check(z.minLength(1)),
  tableName: z.string().check(z.minLength(1)),
});
const login = z.object({
  username: z.string().check(z.minLength(1)),
  password: z.string().check(z.minLength(12)),
});

export interface FirstAdminDeps {
  readonly secrets: SecretStore;
  readonly openTable: (tableName: string) => Table;
  readonly runtime: Runtime;
}

/** @throws TableFormatError, which ends the deployment */
export async function makeFirstAdmin(
  event: CustomResourceEvent,
  deps: FirstAdminDeps,
): Promise<CustomResourceAnswer> {
  const { secretArn, tableName } = properties.parse(event.ResourceProperties);
  const answer = { PhysicalResourceId: event.PhysicalResourceId ?? `first-admin-${tableName}` };
  // Admins are data: deleting the resource deletes no account.
  if (event.RequestType === 'Delete') return answer;
  const table = deps.openTable(tableName);
  await requireTableFormat(table);
  const { username, password } = login.parse(JSON.parse(await deps.secrets.read(secretArn)));
  const made = await ensureFirstAdmin({ table, runtime: deps.runtime }, username, password);
  deps.runtime.log.info('first admin', { made });
  return answer;
}
