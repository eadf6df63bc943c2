/** Admins, their sessions and the count of wrong passwords. */
import * as z from 'zod/mini';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { keys } from '#functions/data/table/keys';
import type { Item, Table } from '#functions/data/table/table';

const adminSchema = z.object({ username: z.string(), password_hash: z.string(), created_at: z.string() });
export type Admin = z.output<typeof adminSchema>;

const sessionSchema = z.object({
  id: z.string(),
  username: z.string(),
  /** The admin's password hash at log-in: a session ends when the password is changed. */
  opened_with: z.string(),
  /** Seconds since 1970, as DynamoDB's time to live needs them. */
  expires_at: z.number(),
});

/** The content of a session cookie. */
export interface SessionName {
  readonly id: string;
  readonly username: string;
}

export interface SessionStore {
  admins(): Promise<Admin[]>;
  admin(username: string): Promise<Admin | undefined>;
  /** @returns false when the name is taken */
  addAdmin(admin: Admin): Promise<boolean>;
  /** @returns false when there is no such admin */
  setPasswordHash(username: string, hash: string): Promise<boolean>;
  removeAdmin(username: string): Promise<boolean>;
  openSession(id: string, admin: Admin, expiresAt: Date): Promise<void>;
  /** True for a session that has neither expired nor been closed, whose admin exists and has the same password. */
  isOpen(session: SessionName, now: Date): Promise<boolean>;
  closeSession(id: string): Promise<void>;
  /** The attempts that `of` counts in its current window; undefined without a window. */
  guesses(of: string, now: Date): Promise<Guesses | undefined>;
  /** Counts one more attempt; concurrent ones are each counted. After the end of a window a new one begins. */
  countGuess(of: string, now: Date, windowSeconds: number): Promise<Guesses>;
  forgetGuesses(of: string): Promise<void>;
}

/** Log-in attempts that failed or are still being checked, and when the window in which they are counted ends. */
export interface Guesses {
  readonly count: number;
  readonly until: Date;
}

const guessesSchema = z.object({ count: z.number(), expires_at: z.number() });
const toGuesses = (item: Item): Guesses => {
  const { count, expires_at } = guessesSchema.parse(item);
  return { count, until: new Date(expires_at * 1000) };
};

export function createSessionStore(table: Table): SessionStore {
  return {
    async admins() {
      const items = await table.queryAll({ partition: keys.admins(), consistent: true });
      return items.map((item) => adminSchema.parse(item));
    },
    async admin(username) {
      const item = await table.get(keys.admin(username));
      return item && adminSchema.parse(item);
    },
    async addAdmin(admin) {
      const { ok } = await table.put({
        put: { ...keys.admin(admin.username), ...admin },
        condition: 'attribute_not_exists(pk)',
      });
      return ok;
    },
    async setPasswordHash(username, hash) {
      const { ok } = await table.update({
        key: keys.admin(username),
        update: 'SET password_hash = :hash',
        condition: 'attribute_exists(pk)',
        values: { ':hash': hash },
      });
      return ok;
    },
    async removeAdmin(username) {
      const { ok } = await table.delete({ delete: keys.admin(username), condition: 'attribute_exists(pk)' });
      return ok;
    },
    async openSession(id, { username, password_hash }, expiresAt) {
      await table.put({
        put: {
          ...keys.session(id),
          id,
          username,
          opened_with: password_hash,
          expires_at: epochSeconds(expiresAt),
        },
      });
    },
    async isOpen({ id, username }, now) {
      const [sessionItem, adminItem] = await table.getMany([keys.session(id), keys.admin(username)]);
      if (sessionItem === undefined || adminItem === undefined) return false;
      const session = sessionSchema.parse(sessionItem);
      const admin = adminSchema.parse(adminItem);
      return session.expires_at > epochSeconds(now) && session.opened_with === admin.password_hash;
    },
    async closeSession(id) {
      await table.delete({ delete: keys.session(id) });
    },
    async guesses(of, now) {
      const item = await table.get(keys.throttle(of));
      const guesses = item && toGuesses(item);
      return guesses !== undefined && guesses.until > now ? guesses : undefined;
    },
    async countGuess(of, now, windowSeconds) {
      for (;;) {
        const counted = await table.update({
          key: keys.throttle(of),
          update: 'SET #count = #count + :one',
          condition: 'expires_at > :now',
          names: { '#count': 'count' },
          values: { ':one': 1, ':now': epochSeconds(now) },
        });
        if (counted.ok) return toGuesses(counted.item);
        const first = { count: 1, expires_at: epochSeconds(now) + windowSeconds };
        const begun = await table.put({
          put: { ...keys.throttle(of), ...first },
          condition: 'attribute_not_exists(pk) OR expires_at <= :now',
          values: { ':now': epochSeconds(now) },
        });
        // Otherwise a concurrent attempt has begun the window, and the next update counts in it.
        if (begun.ok) return toGuesses(first);
      }
    },
    async forgetGuesses(of) {
      await table.delete({ delete: keys.throttle(of) });
    },
  };
}
