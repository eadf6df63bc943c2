/**
 * Moves counted leads into the blocks of the list of leads, once enough have gathered. A crash leaves blocks that are newer than the
 * recorded progress, and the next run repeats it; the version of a block refuses a slower process.
 */
import type { Context } from '#functions/data/context';
import * as store from '#functions/data/statistics/lead-row-store';
import { type Block, type Change, ROWS_PER_BLOCK } from '#functions/data/statistics/lead-row-store';
import { daysOf, type LeadRow } from '#functions/data/statistics/lead-rows';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import { berlinDay } from '#shared/rules/working-days';

/** A count is stamped before it is written, so a younger one may still appear in the index. */
const SETTLED_MS = 2 * 60_000;
/** Fewer changed rows are not worth the blocks that they write again. */
const ENOUGH = 500;
const MAX_WAIT_MS = 24 * 3_600_000;
/** In each of the index's partitions, about 1 MB. */
const CHANGES_AT_ONCE = 1000;
const DAYS_AT_ONCE = 4;
/** The next run of the reconciliation continues. */
const MAX_RUN_MS = 10_000;

/** @returns how many changed rows are in the blocks now */
export async function packLeadRows(context: Context): Promise<number> {
  const began = context.runtime.now().getTime();
  let done = 0;
  let part: { readonly packed: number; readonly isMore: boolean };
  do {
    part = await packNext(context);
    done += part.packed;
  } while (part.isMore && context.runtime.now().getTime() - began < MAX_RUN_MS);
  return done;
}

async function packNext(context: Context): Promise<{ packed: number; isMore: boolean }> {
  const now = context.runtime.now().getTime();
  const nothing = { packed: 0, isMore: false };
  const progress = await store.progress(context);
  const until = new Date(now - SETTLED_MS).toISOString();
  if (until <= progress.packed_to) return nothing;
  const { changes, upTo } = await store.changesSince(context, {
    from: progress.packed_to,
    until,
    most: CHANGES_AT_ONCE,
  });
  const oldest = changes.map(({ counted_at }) => counted_at).toSorted()[0];
  if (oldest === undefined) return nothing;
  const isOld = now - new Date(oldest).getTime() > MAX_WAIT_MS;
  if (changes.length < ENOUGH && !isOld) return nothing;
  const end = upTo ?? until;
  const days = await packed(context, changes, end);
  const first_day = [...days, ...(progress.first_day === null ? [] : [progress.first_day])].toSorted()[0];
  const isDone = await store.advance(context, {
    ...progress,
    packed_to: end,
    first_day: first_day ?? null,
  });
  return { packed: changes.length, isMore: isDone && upTo !== undefined && end > progress.packed_to };
}

/** @returns the days of the changed rows @throws Error if another process packs the same day */
async function packed(context: Context, changes: readonly Change[], upTo: string): Promise<string[]> {
  const byDay = new Map<string, Map<string, Change>>();
  for (const change of changes) {
    if (change.received_at === undefined) continue;
    const day = berlinDay(new Date(change.received_at));
    byDay.set(day, (byDay.get(day) ?? new Map<string, Change>()).set(change.lead_id, change));
  }
  const read = new Map<string, Block[]>();
  await mapConcurrently(
    [...byDay.keys()],
    async (day) => read.set(day, await store.blocksOf(context, day)),
    DAYS_AT_ONCE,
  );
  const [received, elsewhere, gone] = [new Buckets(), new Buckets(), new Buckets()];
  for (const [day, ofDay] of byDay) {
    const before = new Map(
      (read.get(day) ?? []).flatMap(({ rows }) => rows.map((row) => [row.lead_id, row])),
    );
    for (const [id, { row }] of ofDay) {
      const old = before.get(id);
      const days = row ? daysOf(row) : new Set<string>();
      const others = new Set([...(old ? [...daysOf(old), ...old.former] : []), ...days]);
      others.delete(day);
      for (const other of others) elsewhere.put(other, id, days.has(other) ? row : undefined);
      if (row === undefined) gone.put(day, id, undefined);
      else received.put(day, id, { ...row, former: [...others].filter((other) => !days.has(other)) });
    }
  }
  const putAll = ({ byDay: rows }: Buckets, known: ReadonlyMap<string, readonly Block[]> = new Map()) =>
    mapConcurrently(
      [...rows],
      async ([day, changed]) =>
        putRows(context, day, known.get(day) ?? (await store.blocksOf(context, day)), changed, upTo),
      DAYS_AT_ONCE,
    );
  // A row in the bucket of receipt knows its other buckets, also when a crash leaves it in only some of them. So it is there first and last.
  await putAll(received, read);
  await putAll(elsewhere);
  await putAll(gone);
  return [received, elsewhere].flatMap((buckets) => [...buckets.byDay.keys()]);
}

type Rows = ReadonlyMap<string, LeadRow | undefined>;

class Buckets {
  readonly byDay = new Map<string, Map<string, LeadRow | undefined>>();

  /** @param row undefined: the lead leaves the bucket */
  put(day: string, leadId: string, row: LeadRow | undefined): void {
    const rows = this.byDay.get(day) ?? new Map<string, LeadRow | undefined>();
    this.byDay.set(day, rows.set(leadId, row));
  }
}

/** @throws Error if another process wrote the bucket since, or newer rows into it */
async function putRows(
  context: Context,
  day: string,
  blocks: readonly Block[],
  changed: Rows,
  upTo: string,
): Promise<void> {
  if (blocks.some((block) => block.packed_to > upTo)) throw new Error(`The rows of ${day} are newer`);
  const known = new Set(blocks.flatMap(({ rows }) => rows.map(({ lead_id }) => lead_id)));
  const added = [...changed].flatMap(([id, row]) => (row === undefined || known.has(id) ? [] : row));
  const written = blocks
    .map((block) => ({ ...block, rows: block.rows.flatMap((row) => afterwards(row, changed) ?? []) }))
    .filter(
      ({ rows }, index) =>
        rows.some((row) => changed.has(row.lead_id)) || rows.length !== blocks[index]?.rows.length,
    );
  for (const block of withAdded(blocks, written, added))
    if (!(await store.writeBlock(context, day, { ...block, packed_to: upTo })))
      throw new Error(`Another process packs the rows of ${day}`);
}

const afterwards = (row: LeadRow, changed: Rows): LeadRow | undefined =>
  changed.has(row.lead_id) ? changed.get(row.lead_id) : row;

/** The last block is filled up, then new ones are begun. */
function withAdded(blocks: readonly Block[], written: readonly Block[], added: readonly LeadRow[]): Block[] {
  const result = new Map(written.map((block) => [block.number, block]));
  let last: Block = blocks.at(-1) ?? { number: 0, version: 0, packed_to: '', rows: [] };
  let left = [...added];
  while (left.length > 0) {
    const { rows } = result.get(last.number) ?? last;
    const room = Math.max(0, ROWS_PER_BLOCK - rows.length);
    if (room > 0) result.set(last.number, { ...last, rows: [...rows, ...left.slice(0, room)] });
    left = left.slice(room);
    last = { number: last.number + 1, version: 0, packed_to: '', rows: [] };
  }
  return [...result.values()];
}
