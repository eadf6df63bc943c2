/** What a buyer said of a lead, entry by entry: an item of its own for each order, because lists read only the lead. */
import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import type { Lead } from '#functions/data/leads/lead';
import { read } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Item, Put } from '#functions/data/table/table';
import { FEEDBACKS, type Feedback } from '#shared/rules/constants';

export const diarySchema = z.object({
  lead_id: z.string(),
  order_id: z.int(),
  /** Entries are only added. The first is number 1. */
  entries: z.array(
    z.object({
      /** Absent: the feedback ended. */
      said: z.optional(z.enum(FEEDBACKS)),
      at: z.string(),
      /** `link` or an admin. */
      who: z.string(),
      /** The number of the entry that was a mistake. */
      takes_back: z.optional(z.int()),
    }),
  ),
});
export type Diary = z.output<typeof diarySchema>;
export type DiaryEntry = Diary['entries'][number];

export interface DiaryRow {
  readonly number: number;
  readonly said: Feedback | null;
  readonly at: string;
  readonly who: string;
  readonly takes_back: number | null;
  readonly taken_back: boolean;
}

/** Before there were diaries, a lead had only its last feedback. */
function before({ feedback }: Lead, order: number): readonly DiaryEntry[] {
  if (feedback?.order_id !== order) return [];
  const { said, at, who } = feedback;
  return [{ said, at, who }];
}

export async function entriesOf(
  context: DataContext,
  lead: Lead & { readonly order_id: number },
): Promise<readonly DiaryEntry[]> {
  const diary = await read(context, keys.diary(lead.lead_id, lead.order_id), diarySchema);
  return diary?.entries ?? before(lead, lead.order_id);
}

export type LeadDiary = readonly (DiaryRow & { readonly order_id: number })[];

/** Of all orders that had the lead. */
export function diaryIn(lead: Lead, items: readonly Item[]): LeadDiary {
  const diaries: Pick<Diary, 'order_id' | 'entries'>[] = items
    .filter(({ sk }) => String(sk).startsWith(keys.diaries()))
    .map((item) => diarySchema.parse(item));
  const { order_id } = lead;
  if (order_id !== undefined && !diaries.some((diary) => diary.order_id === order_id))
    diaries.push({ order_id, entries: [...before(lead, order_id)] });
  return diaries.flatMap((diary) =>
    rowsOf(diary.entries).map((row) => ({ ...row, order_id: diary.order_id })),
  );
}

export function rowsOf(entries: readonly DiaryEntry[]): DiaryRow[] {
  const mistakes = new Set(entries.map(({ takes_back }) => takes_back));
  return entries.map(({ said = null, at, who, takes_back = null }, index) => {
    const number = index + 1;
    return { number, said, at, who, takes_back, taken_back: mistakes.has(number) };
  });
}

/** The condition of `feedbackChanged` in the same transaction keeps entries from being lost. */
export const diaryPut = (diary: Diary): Put => ({
  put: { ...keys.diary(diary.lead_id, diary.order_id), ...diary },
});
