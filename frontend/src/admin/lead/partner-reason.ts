import type { Answer } from '#shared/contract/schemas';
import type { ReassignmentBlocker } from '#shared/rules/constants';
import { formatDateTime } from '#shared/rules/formats';

type Delivery = Answer<'listDeliveries'>['deliveries'][number];

/** Fields in which partners put their reason, best first. Answers may be truncated and thus not be JSON. */
const REASON_FIELDS = ['errorMessage', 'error', 'reason', 'detail', 'message', 'errors', 'data'];
const MAX_CHARACTERS = 160;

/**
 * Why a delivery has not arrived, in one line: our own sentence and, in quotes, the other side's answer to the latest
 * attempt. Null if nothing failed.
 */
export function failureLine({
  error,
  status,
  attempts,
}: Pick<Delivery, 'error' | 'status' | 'attempts'>): string | null {
  if (error === null) return null;
  const answer = attempts.findLast((attempt) => attempt.answer !== null)?.answer ?? '';
  const reason = status === 'delivered' ? '' : reasonIn(answer);
  return reason === '' || error.includes(reason) ? error : `${error}: “${reason}”`;
}

const BLOCKER_TEXTS = {
  mail: 'the buyer also gets leads by e-mail, and an e-mail cannot be recalled',
  other_channel: 'another channel did not refuse it',
  may_have_arrived: 'an earlier attempt had no clear answer, so it may have arrived',
  by_hand: 'an admin chose this buyer',
  claimed: 'it has a claim',
  left_order: 'it was deleted, or its person erased',
  order_over: 'its prepaid order is complete, so only a claim brings a replacement',
} as const satisfies Record<ReassignmentBlocker, string>;

/** The outcome of a refused lead of a buyer whose refused leads are reassigned; otherwise null. */
export function refusalOutcomeText({
  reassignment_blocker,
  reassigned_at,
}: Pick<Delivery, 'reassignment_blocker' | 'reassigned_at'>): string | null {
  if (reassigned_at !== null) return `Reassigned ${formatDateTime(new Date(reassigned_at))}.`;
  return reassignment_blocker === null ? null : `Not reassigned: ${BLOCKER_TEXTS[reassignment_blocker]}.`;
}

function reasonIn(answer: string): string {
  if (answer.startsWith('<')) return '';
  if (!/^[{[]/.test(answer)) return shortened(answer);
  for (const field of REASON_FIELDS) {
    // The first text in the field, which may be nested in lists and objects.
    const found = new RegExp(`"${field}"\\s*:\\s*(?:[[{]\\s*|"[^"]*"\\s*:\\s*)*"((?:[^"\\\\]|\\\\.)*)`).exec(
      answer,
    );
    const text = unescaped(found?.[1] ?? '').trim();
    if (text !== '') return shortened(text);
  }
  return '';
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

function shortened(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text;
}

/** What happened last: why the lead has not arrived, whether it was reassigned, the partner's ID, and the next attempt. */
export function deliveryFacts(delivery: Delivery): string[] {
  const { external_id: id, next_attempt_at: next } = delivery;
  return [
    failureLine(delivery),
    refusalOutcomeText(delivery),
    id === null ? null : `The partner's id: ${id}`,
    nextAttemptText(next),
  ].filter((fact) => fact !== null);
}

export const nextAttemptText = (at: string | null): string | null =>
  at === null ? null : `Next attempt: ${formatDateTime(new Date(at))}`;
