import type { Answer } from '#shared/contract/schemas';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import type { ClaimTerms } from '#shared/rules/claims';
import type { Feedback, LeadType } from '#shared/rules/constants';
import { formatEuroShort } from '#shared/rules/formats';
import { digitsOf, matcher, withPhonePrefix } from '#shared/rules/search-text';

/** What the page is told by the server about one link. */
export type LeadsView = Answer<'viewLeads'>;

/** What is agreed of the claims of an order. */
export function termsOf(order: LeadsView['order']): ClaimTerms {
  return {
    maxClaimDays: order.max_claim_days,
    minDaysForNe: order.min_days_for_ne,
    quota: order.claim_quota ?? undefined,
  };
}

/** Replacements exist for prepay orders only, and have a list of their own once one is owed or delivered. */
export function hasReplacements({ order, summary, leads }: LeadsView): boolean {
  return (
    order.buyer_type !== 'postpay' &&
    (summary.pending_reimbursements > 0 ||
      summary.delivered_reimbursements > 0 ||
      leads.reimbursement.length > 0)
  );
}

/** `Herr Max Mustermann` */
export function nameOf(lead: Pick<ViewedLead, 'anrede' | 'vorname' | 'nachname'>): string {
  return withoutBidiControls(
    [lead.anrede, lead.vorname, lead.nachname].filter((part) => part !== '').join(' '),
  );
}

/** Newest first, by their number in the order. */
export function newestFirst(leads: readonly ViewedLead[]): ViewedLead[] {
  return leads
    .map((lead) => ({ lead, sequence: sequenceOf(lead) }))
    .sort((a, b) => b.sequence - a.sequence)
    .map(({ lead }) => lead);
}

/** A function that tells whether a lead holds every word of a search, in any field and any spelling. */
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

/** The address for a call: a phone dials digits and one leading plus only. */
export function telLink(phone: string): string {
  const text = withPhonePrefix(phone).trim();
  return `tel:${text.startsWith('+') ? '+' : ''}${digitsOf(text)}`;
}

/** The address for a message; what is not part of an address cannot add a subject or a second receiver. */
export function mailLink(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`;
}

/** Text from the server without the invisible characters that turn the direction of what follows. */
export function withoutBidiControls(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/g, '');
}

export interface InvestmentPart {
  readonly count: number;
  /** Percent of all leads, one decimal. */
  readonly share: number;
  /** Euro, as the average. */
  readonly sum: number;
  readonly average: number;
}

/**
 * The leads below and at or above an amount.
 * @param split euro
 */
export function analyseInvestments(
  leads: readonly ViewedLead[],
  split: number,
): { readonly under: InvestmentPart; readonly over: InvestmentPart } {
  const part = (amounts: readonly number[]): InvestmentPart => {
    // In whole cents: euro with a fraction do not add up exactly.
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

/** The lead with what is said of it now; null for nothing. */
export function withFeedback(lead: ViewedLead, feedback: Feedback | null): ViewedLead {
  const { feedback: _, ...others } = lead;
  return feedback === null ? others : { ...others, feedback };
}

function sequenceOf(lead: ViewedLead): number {
  return Number(lead.display_id.slice(lead.display_id.lastIndexOf('-') + 1));
}
