import * as z from 'zod/mini';
import {
  type Admin,
  adminSchema,
  epochOf,
  type OpenSession,
  type Origin,
  rightsOf,
  type Session,
  sessionSchema,
} from '#functions/data/administration/admin';
import type { DataContext } from '#functions/data/context';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { itemRemoved, newItem, read, readAll } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Delete, Item, Update } from '#functions/data/table/table';

export interface SessionName {
  readonly id: string;
  readonly username: string;
}

/** Login attempts that failed or are still being checked, and when their window ends. */
export interface Attempts {
  readonly count: number;
  readonly until: Date;
}

const attemptsSchema = z.object({ count: z.number(), expires_at: z.number() });
const toAttempts = (item: Item): Attempts => {
  const { count, expires_at } = attemptsSchema.parse(item);
  return { count, until: new Date(expires_at * 1000) };
};

export const admins = (context: DataContext): Promise<Admin[]> =>
  readAll(context, { partition: keys.admins() }, adminSchema);
export const admin = (context: DataContext, username: string): Promise<Admin | undefined> =>
  read(context, keys.admin(username), adminSchema);
/** @returns false if the name is taken */
export async function addAdmin({ table }: DataContext, admin: Admin): Promise<boolean> {
  return (await table.put(newItem(keys.admin(admin.username), admin))).ok;
}
export async function openSession({ table }: DataContext, session: Session): Promise<void> {
  await Promise.all([
    table.put({ put: { ...keys.session(session.username, session.id), ...session } }),
    table.update({
      key: keys.admin(session.username),
      update: 'SET last_login_at = :now',
      condition: 'attribute_exists(pk)',
      values: { ':now': session.opened_at },
    }),
  ]);
}
/** The session if it neither expired nor was closed, and its admin exists and was not reset since. */
export async function findOpen(
  { table }: DataContext,
  { id, username }: SessionName,
  now: Date,
): Promise<OpenSession | undefined> {
  const [sessionItem, adminItem] = await table.getMany([keys.session(username, id), keys.admin(username)]);
  if (sessionItem === undefined || adminItem === undefined) return undefined;
  const session = sessionSchema.parse(sessionItem);
  const admin = adminSchema.parse(adminItem);
  const isOpen = session.expires_at > epochSeconds(now) && session.opened_with === epochOf(admin);
  return isOpen ? { ...session, rights: rightsOf(admin) } : undefined;
}
export async function sessionsOf({ table }: DataContext, username: string, now: Date): Promise<Session[]> {
  const items = await table.queryAll({ partition: keys.sessions(username), consistent: true });
  const sessions = items.map((item) => sessionSchema.parse(item));
  return sessions.filter(({ expires_at }) => expires_at > epochSeconds(now));
}
export async function used(
  { table }: DataContext,
  { id, username }: SessionName,
  now: Date,
  { address, user_agent, country, city }: Origin,
): Promise<void> {
  await table.update({
    key: keys.session(username, id),
    update: `SET used_at = :now, address = :address, user_agent = :agent${
      country === undefined ? ' REMOVE country, city' : ', country = :country, city = :city'
    }`,
    condition: 'attribute_exists(pk)',
    values: {
      ':now': now.toISOString(),
      ':address': address,
      ':agent': user_agent,
      ...(country !== undefined && { ':country': country, ':city': city ?? '' }),
    },
  });
}
export async function closeSession({ table }: DataContext, { id, username }: SessionName): Promise<void> {
  await table.delete({ delete: keys.session(username, id) });
}
export const sessionClosed = ({ id, username }: SessionName): Delete =>
  itemRemoved(keys.session(username, id));
export const sessionKept = ({ id, username }: SessionName, openedWith: string, now: Date): Update => ({
  key: keys.session(username, id),
  update: 'SET opened_with = :with, reauthenticated_at = :now',
  condition: 'attribute_exists(pk)',
  values: { ':with': openedWith, ':now': now.toISOString() },
});
export const limitLifted = ({ id, username }: SessionName): Update => ({
  key: keys.session(username, id),
  update: 'REMOVE #limited',
  condition: 'attribute_exists(pk)',
  // A reserved word.
  names: { '#limited': 'limited' },
});
export async function attempts({ table }: DataContext, of: string, now: Date): Promise<Attempts | undefined> {
  const item = await table.get(keys.throttle(of));
  const attempts = item && toAttempts(item);
  return attempts !== undefined && attempts.until > now ? attempts : undefined;
}
/** Concurrent attempts are each counted. */
export async function countAttempt(
  { table }: DataContext,
  of: string,
  now: Date,
  windowSeconds: number,
  by = 1,
): Promise<Attempts> {
  for (;;) {
    const counted = await table.update({
      key: keys.throttle(of),
      update: 'SET #count = #count + :one',
      condition: 'expires_at > :now',
      names: { '#count': 'count' },
      values: { ':one': by, ':now': epochSeconds(now) },
    });
    if (counted.ok) return toAttempts(counted.item);
    const first = { count: by, expires_at: epochSeconds(now) + windowSeconds };
    const begun = await table.put({
      put: { ...keys.throttle(of), ...first },
      condition: 'attribute_not_exists(pk) OR expires_at <= :now',
      values: { ':now': epochSeconds(now) },
    });
    // Otherwise a concurrent attempt has begun the window, and the next update counts in it.
    if (begun.ok) return toAttempts(first);
  }
}
export async function forgetAttempts({ table }: DataContext, of: string): Promise<void> {
  await table.delete({ delete: keys.throttle(of) });
}
