import type { Answer } from '#shared/contract/schemas';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import type { ClaimTerms } from '#shared/rules/claim-windows';
import type { Feedback, LeadType } from '#shared/rules/constants';
import { formatEuroShort } from '#shared/rules/formats';
import { digitsOf, matcher, withPhonePrefix } from '#shared/rules/search-text';

export type LeadsView = Answer<'viewLeads'>;

export function termsOf(order: LeadsView['order']): ClaimTerms {
  return {
    maxClaimDays: order.max_claim_days,
    minDaysForNe: order.min_days_for_ne,
    quota: order.claim_quota ?? undefined,
  };
}

/** Prepay orders only, once a replacement is owed or delivered. */
export function hasReplacements({ order, summary, leads }: LeadsView): boolean {
  return (
    order.buyer_type !== 'postpay' &&
    (summary.pending_reimbursements > 0 ||
      summary.delivered_reimbursements > 0 ||
      leads.reimbursement.length > 0)
  );
}

export function nameOf(lead: Pick<ViewedLead, 'anrede' | 'vorname' | 'nachname'>): string {
  return withoutBidiControls(
    [lead.anrede, lead.vorname, lead.nachname].filter((part) => part !== '').join(' '),
  );
}

export function newestFirst(leads: readonly ViewedLead[]): ViewedLead[] {
  return leads
    .map((lead) => ({ lead, sequence: sequenceOf(lead) }))
    .sort((a, b) => b.sequence - a.sequence)
    .map(({ lead }) => lead);
}

export function searchFor(query: string): (lead: ViewedLead) => boolean {
  if (query.trim() === '') return () => true;
  const matches = matcher(query);
  return (lead) =>
    matches(
      [
        lead.display_id,
        nameOf(lead),
        lead.email,
        lead.telefon,
        digitsOf(lead.telefon),
        formatEuroShort(lead.anlagebetrag),
        lead.delivery_timestamp_formatted,
        lead.lead_id,
      ],
      lead.telefon,
    );
}

/** Phones dial digits and one leading plus. */
export function telLink(phone: string): string {
  const text = withPhonePrefix(phone).trim();
  return `tel:${text.startsWith('+') ? '+' : ''}${digitsOf(text)}`;
}

/** Encoded, so that it cannot add a subject or a second recipient. */
export function mailLink(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`;
}

/** Without characters that reverse what follows. */
export function withoutBidiControls(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/g, '');
}

export interface InvestmentPart {
  readonly count: number;
  /** One decimal. */
  readonly share: number;
  /** Euro. */
  readonly sum: number;
  readonly average: number;
}

/** @param split euro */
export function analyseInvestments(
  leads: readonly ViewedLead[],
  split: number,
): { readonly under: InvestmentPart; readonly over: InvestmentPart } {
  const part = (amounts: readonly number[]): InvestmentPart => {
    // In cents, because fractions of euro do not add up exactly.
    const cents = amounts.reduce((total, amount) => total + Math.round(amount * 100), 0);
    return {
      count: amounts.length,
      share: leads.length === 0 ? 0 : Math.round((amounts.length / leads.length) * 1000) / 10,
      sum: cents / 100,
      average: amounts.length === 0 ? 0 : Math.round(cents / amounts.length) / 100,
    };
  };
  const amounts = leads.map((lead) => lead.anlagebetrag);
  return {
    under: part(amounts.filter((amount) => amount < split)),
    over: part(amounts.filter((amount) => amount >= split)),
  };
}

export function leadsOf(view: LeadsView, type: LeadType): readonly ViewedLead[] {
  switch (type) {
    case 'original':
      return view.leads.original;
    case 'reimbursement':
      return view.leads.reimbursement;
    default:
      return type satisfies never;
  }
}

export function withFeedback(lead: ViewedLead, feedback: Feedback | null): ViewedLead {
  const { feedback: _, ...others } = lead;
  return feedback === null ? others : { ...others, feedback };
}

export function sequenceOf(lead: ViewedLead): number {
  return Number(lead.display_id.slice(lead.display_id.lastIndexOf('-') + 1));
}
