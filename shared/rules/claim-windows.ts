/** The rules for filing a claim, for the buyer's page and the server. Texts are German because buyers read them. */
import {
  CLAIM_REASONS,
  type ClaimReason,
  type ClaimStatus,
  DEFAULT_MIN_DAYS_FOR_NE,
  type LeadType,
} from '#shared/rules/constants';
import {
  addDays,
  addWorkingDays,
  berlinDay,
  formatDay,
  INVALID_DELIVERY_DATE,
  workingDaysBetween,
} from '#shared/rules/working-days';

/** Of the free text for `other`. */
export const MIN_REASON_CHARACTERS = 3;
export const MAX_REASON_CHARACTERS = 1000;

/** In working days. */
export interface ClaimTerms {
  readonly maxClaimDays: number;
  readonly minDaysForNe: number;
  readonly quota?: ClaimQuota | undefined;
}

/** `used` counts pending and approved claims. */
export interface ClaimQuota {
  readonly allowed: number;
  readonly used: number;
}

/** Rounded up. */
export const claimsAllowed = (leadLimit: number, percent: number): number =>
  Math.ceil((leadLimit * percent) / 100);

/** `YYYY-MM-DD` in Berlin. @throws RangeError for an invalid date or number of days */
export const decideByOf = (filedAt: Date, decisionDays: number): string =>
  addWorkingDays(berlinDay(filedAt), decisionDays);

export const isOverdue = (decideBy: string, now: Date): boolean => berlinDay(now) > decideBy;

export interface ClaimWindow {
  readonly age: number;
  readonly open: boolean;
  /** `YYYY-MM-DD` in Berlin. Includes a weekend or holiday after the last working day. */
  readonly lastDay: string;
  /** After today. */
  readonly remainingWorkingDays: number;
  readonly neOpen: boolean;
  /** `YYYY-MM-DD` in Berlin. */
  readonly neFrom: string;
}

/** @param input `deliveredAt` is when the lead was assigned @throws RangeError 'Ungültiges Lieferdatum' for an invalid date */
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

/** Labels a code; other texts stay. */
export function reasonText(reason: string, minDaysForNe?: number): string {
  return isReasonCode(reason) ? reasonLabel(reason, minDaysForNe) : reason;
}

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
  | 'claim_quota_reached'
  | 'ne_too_early';

/** `message` is shown to the buyer. */
export interface ClaimRefusal<Code extends ClaimRefusalCode = ClaimRefusalCode> {
  readonly ok: false;
  readonly code: Code;
  readonly message: string;
}

export const CHOOSE_REASON = 'Bitte wählen Sie einen Grund...';

/** Any text that is no code is the free text of `other`. Control characters are removed; line breaks stay. */
export function parseClaimReason(
  input: string,
): { readonly ok: true; readonly reason: ParsedReason } | ClaimRefusal<ReasonRefusal> {
  const text = tidy(input);
  if (text === '') return refuse('reason_required', CHOOSE_REASON);
  if (text === 'other' || (!isReasonCode(text) && text.length < MIN_REASON_CHARACTERS)) {
    return refuse(
      'reason_text_required',
      `Bitte beschreiben Sie den Grund mit mindestens ${MIN_REASON_CHARACTERS} Zeichen.`,
    );
  }
  if (text.length > MAX_REASON_CHARACTERS) {
    return refuse(
      'reason_too_long',
      `Bitte beschreiben Sie den Grund mit höchstens ${MAX_REASON_CHARACTERS} Zeichen.`,
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

export interface ClaimableLead {
  readonly leadType: LeadType;
  readonly claimStatus: ClaimStatus | null;
  readonly deliveredAt: Date;
}

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
  const { quota } = terms;
  if (quota !== undefined && quota.used >= quota.allowed)
    return refuse('claim_quota_reached', quotaReached(quota));
  return { ok: true, window };
}

function quotaReached({ allowed }: ClaimQuota): string {
  if (allowed === 0) return 'Für diese Bestellung sind keine Reklamationen vereinbart.';
  return `Das Kontingent von ${allowed} ${allowed === 1 ? 'Reklamation' : 'Reklamationen'} ist ausgeschöpft.`;
}

/** @param reason as sent, see `parseClaimReason` */
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

/** Line breaks become `\n`; invisible characters at both ends are removed. */
function tidy(input: string): string {
  return input
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '');
}

function refuse<Code extends ClaimRefusalCode>(code: Code, message: string): ClaimRefusal<Code> {
  return { ok: false, code, message };
}
