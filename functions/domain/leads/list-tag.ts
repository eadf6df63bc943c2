/**
 * The tag (`ETag`) of a buyer's list.
 *
 * Every change of a list also changes its order, the buyer or the comments, which are cheap to read; `state` is their digest. The
 * same state can still mean two lists: the index follows the writes of leads with a delay, and a lead with a reservation is assigned
 * without a write to its order. So the tag is `settled`, and the state alone sufficient, only after the list was read again
 * `SETTLING_MS` later with the same state and without reservations. Until then `content`, the digest of the leads, saves the
 * transfer.
 */
import { createHash } from 'node:crypto';

export interface ListTag {
  readonly state: string;
  readonly content: string;
  readonly settled: boolean;
  /** Epoch milliseconds: since when the list has this state, or when the tag settled. */
  readonly since: number;
}

/** Much longer than the index needs. */
const SETTLING_MS = 5000;
/** Bounds how long changes by other software stay unseen, such as the last release during a rollout. */
const MAX_SETTLED_MS = 10 * 60_000;

const DIGEST_CHARACTERS = 22;
const TAG = /"([\w-]{22})\.([\w-]{22})\.([sy])\.([0-9a-z]{1,11})"/;

export function tagText({ state, content, settled, since }: ListTag): string {
  return `"${state}.${content}.${settled ? 's' : 'y'}.${since.toString(36)}"`;
}

export function parseTag(header: string | undefined): ListTag | undefined {
  const [, state, content, kind, since] = TAG.exec(header ?? '') ?? [];
  return state === undefined || content === undefined || since === undefined
    ? undefined
    : { state, content, settled: kind === 's', since: Number.parseInt(since, 36) };
}

export function digest(value: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(value));
  return hash.digest('base64url').slice(0, DIGEST_CHARACTERS);
}

/** Whether the list with this tag is current, without reading its leads. */
export function isSettled(known: ListTag, state: string, now: Date): boolean {
  const age = now.getTime() - known.since;
  return known.settled && known.state === state && age >= 0 && age < MAX_SETTLED_MS;
}

/** @param isFinal nothing is in progress that would change the list without the state */
export function tagOf(
  read: Pick<ListTag, 'state' | 'content'>,
  known: ListTag | undefined,
  isFinal: boolean,
  now: Date,
): ListTag {
  const since = known?.state === read.state && !known.settled ? known.since : now.getTime();
  const settled = isFinal && now.getTime() - since >= SETTLING_MS;
  return { ...read, settled, since: settled ? now.getTime() : since };
}
