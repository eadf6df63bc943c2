/** The rules of filing a claim, the same on the buyer's page and on the server. Texts are German: buyers read them. */
import {
  CLAIM_REASONS,
  type ClaimReason,
  type ClaimStatus,
  DEFAULT_MIN_DAYS_FOR_NE,
  type LeadType,
} from '#shared/contract/constants';
import {
  addDays,
  addWorkingDays,
  berlinDay,
  formatDay,
  INVALID_DELIVERY_DATE,
  workingDaysBetween,
} from '#shared/rules/working-days';

/** Characters of the free text that the reason `other` asks for. */
export const REASON_TEXT_MIN = 3;
export const REASON_TEXT_MAX = 1000;

/** The days that were agreed for an order, in working days. */
export interface ClaimTerms {
  readonly maxClaimDays: number;
  readonly minDaysForNe: number;
}

export interface ClaimWindow {
  /** The lead's age in working days. */
  readonly age: number;
  readonly open: boolean;
  /** The last calendar day (`YYYY-MM-DD`, Berlin) on which a claim is taken; weekends after the last working day count. */
  readonly lastDay: string;
  /** Working days after today that are still within the window; 0 on its last ones and when it is over. */
  readonly remainingWorkingDays: number;
  /** Whether the reason NE can be chosen today. */
  readonly neOpen: boolean;
  /** The first day (`YYYY-MM-DD`, Berlin) on which NE can be chosen. */
  readonly neFrom: string;
}

/**
 * When a lead can be claimed: while its age is at most `maxClaimDays`, for NE while it is also at least `minDaysForNe`.
 * @throws RangeError 'Ungültiges Lieferdatum' for an invalid date
 */
export function claimWindow(input: ClaimTerms & { deliveredAt: Date; now: Date }): ClaimWindow {
  const delivered = berlinDay(input.deliveredAt);
  const age = workingDaysBetween(delivered, berlinDay(input.now));
  const open = age <= input.maxClaimDays;
  return {
    age,
    open,
    lastDay: addDays(addWorkingDays(delivered, input.maxClaimDays + 1), -1),
    remainingWorkingDays: Math.max(0, input.maxClaimDays - age),
    neOpen: open && age >= input.minDaysForNe,
    neFrom: addWorkingDays(delivered, input.minDaysForNe),
  };
}

/** The label of a reason, in German; NE names the order's number of days. */
export function reasonLabel(code: ClaimReason, minDaysForNe = DEFAULT_MIN_DAYS_FOR_NE): string {
  switch (code) {
    case 'falsche_nummer':
      return 'Falsche Telefonnummer';
    case 'falsche_email':
      return 'Falsche E-Mail-Adresse';
    case 'doppelt':
      return 'Doppelter Lead';
    case 'fake':
      return 'Keine Anfrage gestellt / Fake';
    case 'falsche_daten':
      return 'Falsche Personendaten';
    case 'ausland':
      return 'Wohnsitz im Ausland / nicht Zielgruppe';
    case 'ne':
      return `Nicht erreichbar (nach ${minDaysForNe} ${minDaysForNe === 1 ? 'Tag' : 'Tagen'})`;
    case 'other':
      return 'Sonstiges';
    default:
      return code satisfies never;
  }
}

/** The reason as text to show, from what travels: the label of a code, any other text as it is. */
export function reasonText(reason: string, minDaysForNe?: number): string {
  return isReasonCode(reason) ? reasonLabel(reason, minDaysForNe) : reason;
}

/** A reason that was understood; `text` is what the buyer wrote, for `other` only. */
export type ParsedReason =
  | { readonly code: Exclude<ClaimReason, 'other'> }
  | { readonly code: 'other'; readonly text: string };

export type ReasonRefusal =
  | 'reason_required'
  | 'reason_text_required'
  | 'reason_too_long'
  | 'html_not_allowed';
export type ClaimRefusalCode =
  | ReasonRefusal
  | 'invalid_delivery_date'
  | 'replacement_not_claimable'
  | 'already_claimed'
  | 'claim_window_closed'
  | 'ne_too_early';

/** Why a claim is not taken: a stable code, and the German text to show. */
export interface ClaimRefusal<Code extends ClaimRefusalCode = ClaimRefusalCode> {
  readonly ok: false;
  readonly code: Code;
  readonly message: string;
}

/**
 * Reads `claim_reason` as it travels. A text that is exactly a code of the list is that reason; any other text is
 * the free text of `other`. So `other` alone says nothing and is refused, and so is a free text of less than 3 or
 * more than 1000 characters, and one with HTML. Control characters are dropped, line breaks kept.
 */
export function parseClaimReason(
  input: string,
): { readonly ok: true; readonly reason: ParsedReason } | ClaimRefusal<ReasonRefusal> {
  const text = tidy(input);
  if (text === '') return refuse('reason_required', 'Bitte wählen Sie einen Grund...');
  if (text === 'other' || (!isReasonCode(text) && text.length < REASON_TEXT_MIN)) {
    return refuse(
      'reason_text_required',
      `Bitte beschreiben Sie den Grund mit mindestens ${REASON_TEXT_MIN} Zeichen.`,
    );
  }
  if (text.length > REASON_TEXT_MAX) {
    return refuse(
      'reason_too_long',
      `Bitte beschreiben Sie den Grund mit höchstens ${REASON_TEXT_MAX} Zeichen.`,
    );
  }
  if (/<[a-z!/?]/i.test(text)) {
    return refuse('html_not_allowed', 'Bitte beschreiben Sie den Grund ohne HTML.');
  }
  return {
    ok: true,
    reason: isReasonCode(text) && text !== 'other' ? { code: text } : { code: 'other', text },
  };
}

/** What the rules need to know of a lead. */
export interface ClaimableLead {
  readonly leadType: LeadType;
  readonly claimStatus: ClaimStatus | null;
  readonly deliveredAt: Date;
}

/**
 * Whether a claim can be filed for a lead at all, whatever the reason: not for a replacement, once per lead, and
 * only within the window. An answer with `ok` carries the window.
 */
export function checkClaimable(
  lead: ClaimableLead,
  terms: ClaimTerms,
  now: Date,
):
  | { readonly ok: true; readonly window: ClaimWindow }
  | ClaimRefusal<Exclude<ClaimRefusalCode, ReasonRefusal>> {
  if (lead.leadType === 'reimbursement') {
    return refuse('replacement_not_claimable', 'Ersatzleads können nicht reklamiert werden.');
  }
  if (lead.claimStatus !== null) {
    return refuse('already_claimed', 'Dieser Lead wurde bereits reklamiert.');
  }
  const window = windowOrUndefined(lead, terms, now);
  if (window === undefined) return refuse('invalid_delivery_date', INVALID_DELIVERY_DATE);
  if (!window.open) {
    return refuse(
      'claim_window_closed',
      `Die Reklamationsfrist ist am ${formatDay(window.lastDay)} abgelaufen.`,
    );
  }
  return { ok: true, window };
}

/**
 * Whether this claim is taken, and if not, why not.
 * @param reason as it travels, see `parseClaimReason`
 */
export function checkClaim(
  lead: ClaimableLead,
  terms: ClaimTerms,
  now: Date,
  reason: string,
): { readonly ok: true; readonly reason: ParsedReason } | ClaimRefusal {
  const claimable = checkClaimable(lead, terms, now);
  if (!claimable.ok) return claimable;
  const parsed = parseClaimReason(reason);
  if (parsed.ok && parsed.reason.code === 'ne' && !claimable.window.neOpen) {
    return refuse(
      'ne_too_early',
      `„Nicht erreichbar“ kann erst ab dem ${formatDay(claimable.window.neFrom)} reklamiert werden.`,
    );
  }
  return parsed;
}

function windowOrUndefined(lead: ClaimableLead, terms: ClaimTerms, now: Date): ClaimWindow | undefined {
  try {
    return claimWindow({ deliveredAt: lead.deliveredAt, now, ...terms });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isReasonCode(text: string): text is ClaimReason {
  return CLAIM_REASONS.some((code) => code === text);
}

/** One kind of line break, no control characters, and nothing invisible at either end. */
function tidy(input: string): string {
  return input
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '');
}

function refuse<Code extends ClaimRefusalCode>(code: Code, message: string): ClaimRefusal<Code> {
  return { ok: false, code, message };
}
