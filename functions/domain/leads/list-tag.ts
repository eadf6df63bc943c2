/**
 * The tag (`ETag`) of a buyer's list: whoever has the list with a tag asks whether it is still current.
 *
 * Whatever changes a list also changes its order, the buyer or the comments, which are cheap to read; `state` is their
 * digest. The same state still allows two lists, for two reasons: the index from which the leads are read follows their
 * writes a moment later, and a lead with a reservation is assigned without a write to its order. So a list is read again
 * until it was read with the same state `SETTLING_MS` later and without reservations. Only then the tag is `settled`,
 * and the state alone says that nothing has changed. Until then `content`, the digest of the leads, spares the transfer.
 */
import { createHash } from 'node:crypto';

export interface ListTag {
  readonly state: string;
  readonly content: string;
  readonly settled: boolean;
  /** Epoch milliseconds: since when the list has this state, or when the tag was settled. */
  readonly since: number;
}

/** Much longer than the index needs. */
const SETTLING_MS = 5000;
/** What was written past the product, or by its last release while this one is rolled out, is seen after this time. */
const MAX_SETTLED_MS = 10 * 60_000;

const DIGEST_CHARACTERS = 22;
const TAG = /"([\w-]{22})\.([\w-]{22})\.([sy])\.([0-9a-z]{1,11})"/;

/** As in a header. */
export function tagText({ state, content, settled, since }: ListTag): string {
  return `"${state}.${content}.${settled ? 's' : 'y'}.${since.toString(36)}"`;
}

/** @param header the value of `If-None-Match`; undefined for everything that is no tag of a list */
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

/** Whether the list with this tag is still current, known without reading its leads. */
export function isSettled(known: ListTag, state: string, now: Date): boolean {
  const age = now.getTime() - known.since;
  return known.settled && known.state === state && age >= 0 && age < MAX_SETTLED_MS;
}

/**
 * The tag of a list that was just read.
 * @param known the tag that the caller has
 * @param isFinal whether this state is the last: nothing is under way that would change the list and not the state
 */
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
