/** A buyer's feedback on a lead, given by the order's link: reached, not reached, or closed. */
import type { Context } from '#functions/data/context';
import type { DiaryEntry, DiaryRow } from '#functions/data/leads/feedback';
import * as feedbackStore from '#functions/data/leads/feedback';
import * as leadWrites from '#functions/data/leads/lead-writes';
import * as orderStore from '#functions/data/orders/order-store';
import { aboutLead, auditEntry } from '#functions/domain/common/audit';
import { conflict } from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { listedLead, openOrderOf } from '#functions/domain/leads/leads-view';
import type { LinkVisitor } from '#functions/domain/orders/link-access';
import { type Feedback, MAX_FEEDBACK_ENTRIES } from '#shared/rules/constants';

/** A double tap, or a repeated call, is no second entry. */
const SAME_TAP_MS = 60_000;

interface Said {
  /** What holds now. */
  readonly feedback: Feedback | null;
  /** The number of the last entry, 0 without one. */
  readonly entry: number;
}

/** What a call adds. @returns undefined if it is in the diary already */
type Addition = (rows: readonly DiaryRow[], now: Date) => Pick<DiaryEntry, 'said' | 'takes_back'> | undefined;

/** @throws DomainError 404, 403 without the link's code or for a foreign lead, 409 if it has left the order, was erased, or the diary is full */
export const saveFeedback = (
  context: Context,
  token: string,
  visitor: LinkVisitor,
  { leadId, feedback }: { leadId: string; feedback: Feedback | null },
): Promise<Said> =>
  added(context, token, visitor, leadId, (rows, now) => {
    const last = rows.at(-1);
    const isRepeated =
      last !== undefined &&
      last.takes_back === null &&
      last.said === feedback &&
      now.getTime() - Date.parse(last.at) < SAME_TAP_MS;
    if (isRepeated || (feedback === null && holding(rows) === null)) return undefined;
    return feedback === null ? {} : { said: feedback };
  });

/** Notes that an entry was a mistake; what stood before it holds again. @throws DomainError as above, 409 for an unknown entry */
export const takeBackFeedback = (
  context: Context,
  token: string,
  visitor: LinkVisitor,
  { leadId, entry }: { leadId: string; entry: number },
): Promise<Said> =>
  added(context, token, visitor, leadId, (rows) => {
    const row = rows[entry - 1];
    if (row === undefined || row.takes_back !== null)
      throw conflict('no_such_feedback', 'There is no such entry');
    return row.taken_back ? undefined : { takes_back: entry };
  });

/** @throws DomainError as above */
export async function feedbackDiary(
  context: Context,
  token: string,
  visitor: LinkVisitor,
  leadId: string,
): Promise<readonly DiaryRow[]> {
  const { order } = await openOrderOf(context, token, visitor);
  const lead = await listedLead(context, order, leadId);
  return feedbackStore.rowsOf(await feedbackStore.entriesOf(context, lead));
}

async function added(
  context: Context,
  token: string,
  visitor: LinkVisitor,
  leadId: string,
  additionOf: Addition,
): Promise<Said> {
  const { order } = await openOrderOf(context, token, visitor);
  const { who } = visitor;
  return retryOnConflict(context.runtime, async () => {
    const lead = await listedLead(context, order, leadId);
    const { order_id } = lead;
    const entries = await feedbackStore.entriesOf(context, lead);
    const rows = feedbackStore.rowsOf(entries);
    const before = holding(rows);
    const now = context.runtime.now();
    const addition = additionOf(rows, now);
    if (addition === undefined) return { feedback: before?.said ?? null, entry: entries.length };
    if (entries.length >= MAX_FEEDBACK_ENTRIES)
      throw conflict('feedback_full', 'This lead has as much feedback as can be kept');
    const entry = { ...addition, at: now.toISOString(), who };
    const all = [...entries, entry];
    const after = holding(feedbackStore.rowsOf(all));
    const { at, who: by } = after ?? entry;
    return committed(context, { feedback: after?.said ?? null, entry: all.length }, [
      leadWrites.feedbackChanged(lead, {
        ...(after !== null && { said: after.said }),
        at,
        who: by,
        order_id,
        entries: all.length,
      }),
      feedbackStore.diaryPut({ lead_id: leadId, order_id, entries: all }),
      ...orderStore.leadEdited(order_id),
      auditEntry(context, {
        who,
        action: addition.takes_back === undefined ? 'feedback' : 'feedback_taken_back',
        ...aboutLead(leadId),
        before: { feedback: before?.said ?? null },
        after: { feedback: after?.said ?? null },
      }),
    ]);
  });
}

/** The last entry that was not taken back, if it says something. */
function holding(rows: readonly DiaryRow[]): (DiaryRow & { readonly said: Feedback }) | null {
  const last = rows.findLast(({ takes_back, taken_back }) => takes_back === null && !taken_back);
  return last === undefined || last.said === null ? null : { ...last, said: last.said };
}
