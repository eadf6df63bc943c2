import {
  type Access,
  type Admin,
  accessSchema,
  type Invitation,
  invitationSchema,
} from '#functions/data/administration/admin';
import type { DataContext } from '#functions/data/context';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { itemRemoved, newItem, read } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import { type Delete, type Put, type Update, unchanged } from '#functions/data/table/table';
import type { Rights } from '#shared/contract/roles';

const asExpected = ({ password_hash, epoch }: Admin) => ({
  condition: `password_hash = :expectedHash AND ${epoch === undefined ? 'attribute_not_exists(epoch)' : 'epoch = :expectedEpoch'}`,
  values: { ':expectedHash': password_hash, ...(epoch !== undefined && { ':expectedEpoch': epoch }) },
});

export const access = (context: DataContext): Promise<Access | undefined> =>
  read(context, keys.adminAccess(), accessSchema);
/** Fails after a concurrent change. */
export const accessChanged = (expected: Access | undefined, change: Partial<Access> = {}): Put => ({
  put: { ...keys.adminAccess(), ...expected, ...change, version: (expected?.version ?? 0) + 1 },
  ...unchanged('version', expected?.version),
});

export const created = (admin: Admin): Put => newItem(keys.admin(admin.username), admin);
export const passwordChanged = (expected: Admin, hash: string, epoch: string): Update =>
  changed(expected, 'SET password_hash = :hash, epoch = :epoch', { ':hash': hash, ':epoch': epoch });
export const sessionsEnded = (expected: Admin, epoch: string): Update =>
  changed(expected, 'SET epoch = :epoch', { ':epoch': epoch });
export const roleChanged = (expected: Admin, { role, exports_personal_data }: Rights): Update => ({
  ...changed(expected, 'SET #role = :role, exports_personal_data = :exports', {
    ':role': role,
    ':exports': exports_personal_data,
  }),
  // A reserved word.
  names: { '#role': 'role' },
});
function changed(expected: Admin, update: string, to: Readonly<Record<string, string | boolean>>): Update {
  const { condition, values } = asExpected(expected);
  return { key: keys.admin(expected.username), update, condition, values: { ...values, ...to } };
}
export const removed = (expected: Admin): Delete => ({
  delete: keys.admin(expected.username),
  ...asExpected(expected),
});

export async function invitations({ table }: DataContext, now: Date): Promise<Invitation[]> {
  const items = await table.queryAll({ partition: keys.invitations(), consistent: true });
  return items
    .map((item) => invitationSchema.parse(item))
    .filter(({ expires_at }) => expires_at > epochSeconds(now))
    .sort((one, other) => one.id.localeCompare(other.id));
}
export async function invitation(
  { table }: DataContext,
  hash: string,
  now: Date,
): Promise<Invitation | undefined> {
  const item = await table.get(keys.invitation(hash));
  const invitation = item && invitationSchema.parse(item);
  return invitation !== undefined && invitation.expires_at > epochSeconds(now) ? invitation : undefined;
}
export const invited = (invitation: Invitation): Put => newItem(keys.invitation(invitation.hash), invitation);
/** Fails if the link was used or withdrawn before. */
export const invitationEnded = ({ hash }: Pick<Invitation, 'hash'>): Delete =>
  itemRemoved(keys.invitation(hash));
