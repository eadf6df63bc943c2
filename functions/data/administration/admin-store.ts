/** Who may log in: what changes it, as parts of transactions, and the links by which admins come in. */
import {
  type Access,
  type Admin,
  accessSchema,
  type Invitation,
  invitationSchema,
} from '#functions/data/administration/admin';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { keys } from '#functions/data/table/keys';
import { type Delete, type Put, type Table, type Update, unchanged } from '#functions/data/table/table';

export type AdminStore = ReturnType<typeof createAdminStore>;

/** That an admin may log in by the same means as when it was read. */
const asSeen = ({ password_hash, epoch }: Admin) => ({
  condition: `password_hash = :seenHash AND ${epoch === undefined ? 'attribute_not_exists(epoch)' : 'epoch = :seenEpoch'}`,
  values: { ':seenHash': password_hash, ...(epoch !== undefined && { ':seenEpoch': epoch }) },
});

export function createAdminStore(table: Table) {
  return {
    /** The guard; undefined until the first change. */
    async access(): Promise<Access | undefined> {
      const item = await table.get(keys.adminAccess());
      return item && accessSchema.parse(item);
    },
    /** Fails where another change came between. */
    accessChanged: (seen: Access | undefined, change: Partial<Access> = {}): Put => ({
      put: { ...keys.adminAccess(), ...seen, ...change, version: (seen?.version ?? 0) + 1 },
      ...unchanged('version', seen?.version),
    }),

    created: (admin: Admin): Put => ({
      put: { ...keys.admin(admin.username), ...admin },
      condition: 'attribute_not_exists(pk)',
    }),
    /** Another password, empty for none, and an end to all sessions. */
    passwordChanged: (seen: Admin, hash: string, epoch: string): Update => {
      const { condition, values } = asSeen(seen);
      return {
        key: keys.admin(seen.username),
        update: 'SET password_hash = :hash, epoch = :epoch',
        condition,
        values: { ...values, ':hash': hash, ':epoch': epoch },
      };
    },
    sessionsEnded: (seen: Admin, epoch: string): Update => {
      const { condition, values } = asSeen(seen);
      return {
        key: keys.admin(seen.username),
        update: 'SET epoch = :epoch',
        condition,
        values: { ...values, ':epoch': epoch },
      };
    },
    removed: (seen: Admin): Delete => ({ delete: keys.admin(seen.username), ...asSeen(seen) }),

    /** Links that were neither used nor have expired, the oldest first. */
    async invitations(now: Date): Promise<Invitation[]> {
      const items = await table.queryAll({ partition: keys.invitations(), consistent: true });
      return items
        .map((item) => invitationSchema.parse(item))
        .filter(({ expires_at }) => expires_at > epochSeconds(now))
        .sort((one, other) => one.id.localeCompare(other.id));
    },
    async invitation(hash: string, now: Date): Promise<Invitation | undefined> {
      const item = await table.get(keys.invitation(hash));
      const invitation = item && invitationSchema.parse(item);
      return invitation !== undefined && invitation.expires_at > epochSeconds(now) ? invitation : undefined;
    },
    invited: (invitation: Invitation): Put => ({
      put: { ...keys.invitation(invitation.hash), ...invitation },
      condition: 'attribute_not_exists(pk)',
    }),
    /** Fails where it was used or withdrawn before. */
    invitationEnded: ({ hash }: Pick<Invitation, 'hash'>): Delete => ({
      delete: keys.invitation(hash),
      condition: 'attribute_exists(pk)',
    }),
  };
}
