/**
 * The writes of deliveries and callbacks. The SDK repeats a write whose answer was lost, and the repeated condition
 * fails; such a write is recognised by the item found and counts as made. See
 * `docs/adr/0020-outbox.md`.
 */
import type * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import type { Sending } from '#functions/data/deliveries/sending';
import type { Key } from '#functions/data/table/keys';
import type { Item, Written } from '#functions/data/table/table';
import { newWriteId } from '#functions/data/table/write-id';
import type { DeliveryStatus } from '#shared/rules/constants';

export interface Part {
  readonly set?: string;
  readonly remove?: string;
  readonly condition?: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Item;
}

export interface Location<One extends Sending> {
  readonly schema: z.ZodMiniType<One>;
  readonly keyOf: (one: One) => Key;
  /** Part of every condition: distinguishes it from another one under the same key. */
  readonly same: (one: One) => Part;
}

export interface Kind<One extends Sending> {
  readonly location: Location<One>;
  /** Further changes of these writes: the lists that contain it. */
  readonly claimed: (expected: One, until: Date) => Part;
  readonly concluded: (one: One, result: Result, now: Date) => Part;
  /** Keeps the item small; the oldest attempts are dropped. */
  readonly maxAttempts: number;
}

export interface Result {
  readonly status: Exclude<DeliveryStatus, 'pending'>;
  readonly attempts: readonly Sending['attempts'][number][];
  readonly next_attempt_at: Date | null;
  readonly error: string | null;
  /** The receiver's ID; absent: unchanged. */
  readonly external_id?: string | null;
  /** The operator must be notified of this final failure. */
  readonly unreported?: true;
  /** The partner refused this lead. */
  readonly refused?: true;
}

export async function change<One extends Sending>(
  { table }: DataContext,
  location: Location<One>,
  one: One,
  ...parts: readonly Part[]
): Promise<Written> {
  const all = [...parts, location.same(one)];
  const texts = (of: 'set' | 'remove' | 'condition') => all.flatMap((part) => part[of] ?? []);
  const entries = <Value>(of: (part: Part) => Readonly<Record<string, Value>> | undefined) =>
    Object.fromEntries(all.flatMap((part) => Object.entries(of(part) ?? {})));
  const [names, removed] = [entries((part) => part.names), texts('remove').join(', ')];
  return table.update({
    key: location.keyOf(one),
    update: `SET ${texts('set').join(', ')}${removed === '' ? '' : ` REMOVE ${removed}`}`,
    condition: texts('condition').join(' AND '),
    names,
    values: entries((part) => part.values),
  });
}

/**
 * Claims the next attempt for this worker: counts it and records it with an unknown outcome, which remains if the
 * worker dies. @param until when another worker may take over @returns undefined if another worker was faster
 */
export async function claim<One extends Sending>(
  context: DataContext,
  kind: Kind<One>,
  expected: One,
  attempt: Sending['attempts'][number],
  until: Date,
): Promise<One | undefined> {
  const by = newWriteId(context.table.runtime);
  const claimed: Part = {
    set: 'attempt_count = :attempt_count, attempts = :attempts, updated_at = :now, sending_until = :until, sending_by = :by, next_attempt_at = :until',
    condition:
      '#status = :status AND #series = :series AND attempt_count = :expected_count AND updated_at = :expected_at',
    names: { '#status': 'status', '#series': 'series' },
    values: {
      ':attempt_count': expected.attempt_count + 1,
      ':attempts': [...expected.attempts, attempt].slice(-kind.maxAttempts),
      ':now': attempt.at,
      ':until': until.toISOString(),
      ':by': by,
      ':status': expected.status,
      ':series': expected.series,
      ':expected_count': expected.attempt_count,
      ':expected_at': expected.updated_at,
    },
  };
  const { item } = await change(context, kind.location, expected, claimed, kind.claimed(expected, until));
  const found = item && kind.location.schema.parse(item);
  return found?.sending_by === by ? found : undefined;
}

/** @returns false if another worker took over or a new series began meanwhile */
export const finish = <One extends Sending>(
  context: DataContext,
  kind: Kind<One>,
  claimed: One,
  result: Result,
  now: Date,
): Promise<boolean> =>
  conclude(context, kind, claimed, {
    result,
    now,
    still: { condition: 'sending_until = :until', values: { ':until': claimed.sending_until ?? '' } },
  });

/** No attempt was made. @returns false if it changed since it was read */
export const recordSkipped = <One extends Sending>(
  context: DataContext,
  kind: Kind<One>,
  expected: One,
  result: Result,
  now: Date,
): Promise<boolean> =>
  conclude(context, kind, expected, {
    result,
    now,
    still: {
      condition: '#status = :expected_status AND updated_at = :expected_at',
      values: { ':expected_status': expected.status, ':expected_at': expected.updated_at },
    },
  });

interface Conclusion {
  readonly result: Result;
  readonly now: Date;
  /** The condition of the write. */
  readonly still: Part;
}

/** @returns whether it was written */
export async function conclude<One extends Sending>(
  context: DataContext,
  kind: Kind<One>,
  one: One,
  { result, now, still }: Conclusion,
): Promise<boolean> {
  const { status, attempts, next_attempt_at, error } = result;
  const ended: Part = {
    set: '#status = :status, attempts = :attempts, updated_at = :now, next_attempt_at = :next, #error = :error',
    remove: 'sending_until, sending_by',
    condition: '#series = :series',
    names: { '#status': 'status', '#series': 'series', '#error': 'error' },
    values: {
      ':status': status,
      ':attempts': attempts.slice(-kind.maxAttempts),
      ':now': now.toISOString(),
      ':next': next_attempt_at?.toISOString() ?? null,
      ':error': error,
      ':series': one.series,
    },
  };
  const { ok, item } = await change(
    context,
    kind.location,
    one,
    ended,
    still,
    kind.concluded(one, result, now),
  );
  if (ok || item === undefined) return ok;
  const found = kind.location.schema.parse(item);
  return (
    JSON.stringify(kind.location.same(found).values) === JSON.stringify(kind.location.same(one).values) &&
    found.updated_at === now.toISOString() &&
    found.series === one.series &&
    found.attempt_count === one.attempt_count &&
    found.status === status
  );
}

/** Requires the expected series, so that a repeated write starts only one. @returns also the current item */
export async function begin<One extends Sending>(
  context: DataContext,
  location: Location<One>,
  expected: One,
  now: Date,
  listed: Part,
): Promise<{ readonly ok: boolean; readonly found: One | undefined }> {
  const begun: Part = {
    set: '#status = :pending, #series = :next, attempt_count = :zero, queued_at = :now, updated_at = :now, next_attempt_at = :null, #error = :null',
    remove: 'sending_until, sending_by',
    condition:
      '#series = :expected AND #status <> :pending AND (attribute_not_exists(sending_until) OR sending_until < :now)',
    names: { '#status': 'status', '#series': 'series', '#error': 'error' },
    values: {
      ':pending': 'pending',
      ':expected': expected.series,
      ':next': expected.series + 1,
      ':zero': 0,
      ':now': now.toISOString(),
      ':null': null,
    },
  };
  const { item } = await change(context, location, expected, begun, listed);
  const found = item && location.schema.parse(item);
  return { ok: found?.series === expected.series + 1 && found.queued_at === now.toISOString(), found };
}
