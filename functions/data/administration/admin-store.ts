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

const asSeen = ({ password_hash, epoch }: Admin) => ({
  condition: `password_hash = :seenHash AND ${epoch === undefined ? 'attribute_not_exists(epoch)' : 'epoch = :seenEpoch'}`,
  values: { ':seenHash': password_hash, ...(epoch !== undefined && { ':seenEpoch': epoch }) },
});

export const access = (context: DataContext): Promise<Access | undefined> =>
  read(context, keys.adminAccess(), accessSchema);
/** Fails if another change came in between. */
export const accessChanged = (seen: Access | undefined, change: Partial<Access> = {}): Put => ({
  put: { ...keys.adminAccess(), ...seen, ...change, version: (seen?.version ?? 0) + 1 },
  ...unchanged('version', seen?.version),
});

export const created = (admin: Admin): Put => newItem(keys.admin(admin.username), admin);
export const passwordChanged = (seen: Admin, hash: string, epoch: string): Update =>
  changed(seen, 'SET password_hash = :hash, epoch = :epoch', { ':hash': hash, ':epoch': epoch });
export const sessionsEnded = (seen: Admin, epoch: string): Update =>
  changed(seen, 'SET epoch = :epoch', { ':epoch': epoch });
function changed(seen: Admin, update: string, to: Readonly<Record<string, string>>): Update {
  const { condition, values } = asSeen(seen);
  return { key: keys.admin(seen.username), update, condition, values: { ...values, ...to } };
}
export const removed = (seen: Admin): Delete => ({ delete: keys.admin(seen.username), ...asSeen(seen) });

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
