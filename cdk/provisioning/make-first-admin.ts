/** Checks the format of the table, and makes the first admin with the generated password unless there is one already. */
import * as z from 'zod/mini';
import type {
  CustomResourceAnswer,
  CustomResourceEvent,
  SecretStore,
} from '#cdk/provisioning/custom-resource';
import type { SessionStore } from '#functions/data/administration/session-store';
import { ensureFirstAdmin } from '#functions/domain/administration/admins';
import type { Runtime } from '#functions/runtime';

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
  readonly sessions: (tableName: string) => SessionStore;
  /** @throws TableFormatError for a table in another format, which ends the deployment */
  readonly requireFormat: (tableName: string) => Promise<void>;
  readonly runtime: Runtime;
}

export async function makeFirstAdmin(
  event: CustomResourceEvent,
  deps: FirstAdminDeps,
): Promise<CustomResourceAnswer> {
  const { secretArn, tableName } = properties.parse(event.ResourceProperties);
  const answer = { PhysicalResourceId: event.PhysicalResourceId ?? `first-admin-${tableName}` };
  // An admin is data: deleting the stack's resource deletes no account.
  if (event.RequestType === 'Delete') return answer;
  await deps.requireFormat(tableName);
  const { username, password } = login.parse(JSON.parse(await deps.secrets.read(secretArn)));
  const sessions = deps.sessions(tableName);
  const made = await ensureFirstAdmin({ sessions, runtime: deps.runtime }, username, password);
  deps.runtime.log.info('first admin', { made });
  return answer;
}
