/** Admins as they log in, their sessions and the count of wrong passwords. */
import * as z from 'zod/mini';
import {
  type Admin,
  adminSchema,
  epochOf,
  type Origin,
  type Session,
  sessionSchema,
} from '#functions/data/administration/admin';
import { epochSeconds } from '#functions/data/table/epoch-seconds';
import { keys } from '#functions/data/table/keys';
import type { Delete, Item, Table, Update } from '#functions/data/table/table';

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
  /** Opens a session, and notes on its admin when it was. */
  openSession(session: Session): Promise<void>;
  /** The session, if it has neither expired nor been closed, and its admin exists and was not reset since. */
  findOpen(session: SessionName, now: Date): Promise<Session | undefined>;
  /** The sessions of an admin that have not expired, those that a reset ended among them. */
  sessionsOf(username: string, now: Date): Promise<Session[]>;
  /** Notes when and from where it was used last. Nothing where it was closed meanwhile. */
  used(session: SessionName, now: Date, from: Origin): Promise<void>;
  closeSession(session: SessionName): Promise<void>;
  /** For a transaction; fails where the session is closed already. */
  sessionClosed(session: SessionName): Delete;
  /** For a transaction: it stays open beyond what ends the others, and its admin has just shown who it is. */
  sessionKept(session: SessionName, openedWith: string, now: Date): Update;
  /** For a transaction: it may do all that its admin may do. */
  limitLifted(session: SessionName): Update;
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
    async openSession(session) {
      await Promise.all([
        table.put({ put: { ...keys.session(session.username, session.id), ...session } }),
        table.update({
          key: keys.admin(session.username),
          update: 'SET last_login_at = :now',
          condition: 'attribute_exists(pk)',
          values: { ':now': session.opened_at },
        }),
      ]);
    },
    async findOpen({ id, username }, now) {
      const [sessionItem, adminItem] = await table.getMany([
        keys.session(username, id),
        keys.admin(username),
      ]);
      if (sessionItem === undefined || adminItem === undefined) return undefined;
      const session = sessionSchema.parse(sessionItem);
      const isOpen =
        session.expires_at > epochSeconds(now) &&
        session.opened_with === epochOf(adminSchema.parse(adminItem));
      return isOpen ? session : undefined;
    },
    async sessionsOf(username, now) {
      const items = await table.queryAll({ partition: keys.sessions(username), consistent: true });
      const sessions = items.map((item) => sessionSchema.parse(item));
      return sessions.filter(({ expires_at }) => expires_at > epochSeconds(now));
    },
    async used({ id, username }, now, { address, user_agent, country, city }) {
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
    },
    async closeSession({ id, username }) {
      await table.delete({ delete: keys.session(username, id) });
    },
    sessionClosed: ({ id, username }) => ({
      delete: keys.session(username, id),
      condition: 'attribute_exists(pk)',
    }),
    sessionKept: ({ id, username }, openedWith, now) => ({
      key: keys.session(username, id),
      update: 'SET opened_with = :with, proved_at = :now',
      condition: 'attribute_exists(pk)',
      values: { ':with': openedWith, ':now': now.toISOString() },
    }),
    limitLifted: ({ id, username }) => ({
      key: keys.session(username, id),
      update: 'REMOVE #limited',
      condition: 'attribute_exists(pk)',
      // A reserved word.
      names: { '#limited': 'limited' },
    }),
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
