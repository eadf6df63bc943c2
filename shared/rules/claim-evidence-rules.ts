/** The rules that decide claims automatically, from evidence only. */
import type { ClaimReason, ClaimRule } from '#shared/rules/constants';
import { berlinDay, formatDay, workingDaysBetween } from '#shared/rules/working-days';

/** Instants are ISO 8601 in UTC. */
export interface ClaimFacts {
  readonly reason: ClaimReason;
  readonly filedAt: string;
  readonly maxClaimDays: number;
  readonly minDaysForNe: number;
  readonly assigned_at: string;
  readonly delivered_at: string | null;
  readonly opened_at: string | null;
  /** Of the same buyer, oldest first. */
  readonly duplicates: readonly {
    readonly lead_id: string;
    readonly order_id: number;
    readonly sequence: number;
    readonly delivered_at: string;
    readonly same: readonly ('phone' | 'email')[];
    readonly claim_status: string | null;
  }[];
  readonly claimed_later: readonly { readonly same: readonly ('phone' | 'email')[] }[];
  readonly checks: readonly {
    readonly kind: string;
    readonly by: string;
    readonly result: string;
    readonly at: string;
  }[];
  readonly address: { readonly state: string; readonly at: string; readonly code: string | null } | null;
}

/** Texts for buyers and admins, without personal data. */
export interface AutomaticDecision {
  readonly rule: ClaimRule;
  readonly status: 'approved' | 'rejected';
  readonly german: string;
  readonly english: string;
  /** It proves the duplicate only while the buyer has it and pays for it. */
  readonly earlierLead?: string;
  /** The fields in which the earlier lead differs. */
  readonly others?: readonly SameBy[];
  readonly dead?: SameBy;
}

export type SameBy = (typeof SAME_FIELDS)[number]['field'];

export const CLAIM_RULE_NAMES: Readonly<Record<ClaimRule, string>> = {
  duplicate_same_buyer: 'The buyer has an earlier lead of the same person',
  email_dead: 'The e-mail address does not exist',
  phone_dead: 'The phone number does not exist',
  ne_out_of_window: '“Not reachable” was claimed outside the agreed days',
};

/** Undefined: an admin has to decide. */
export function automaticDecision(facts: ClaimFacts): AutomaticDecision | undefined {
  switch (facts.reason) {
    case 'doppelt':
      return duplicateSameBuyer(facts);
    case 'falsche_email':
      return emailDead(facts);
    case 'falsche_nummer':
      return phoneDead(facts);
    case 'ne':
      return neOutOfWindow(facts);
    case 'fake':
    case 'falsche_daten':
    case 'ausland':
    case 'other':
      return undefined;
    default:
      return facts.reason satisfies never;
  }
}

/** A compensated lead proves nothing: the buyer has not paid for it. */
function duplicateSameBuyer({ duplicates }: ClaimFacts): AutomaticDecision | undefined {
  const first = duplicates.find(({ claim_status }) => claim_status !== 'approved');
  if (first === undefined) return undefined;
  const number = `${first.order_id}-${first.sequence}`;
  const day = dayOf(first.delivered_at);
  const fields = SAME_FIELDS.filter(({ field }) => first.same.includes(field));
  return {
    rule: 'duplicate_same_buyer',
    status: 'approved',
    earlierLead: first.lead_id,
    others: SAME_FIELDS.flatMap(({ field }) => (first.same.includes(field) ? [] : [field])),
    german: `Ihr Lead ${number}, geliefert am ${day}, hat dieselbe ${fields.map(({ german }) => german).join(' und dieselbe ')}.`,
    english: `Same ${fields.map(({ english }) => english).join(' and ')} as lead ${number}, delivered to this buyer on ${day}.`,
  };
}

const SAME_FIELDS = [
  { field: 'phone', german: 'Telefonnummer', english: 'phone number' },
  { field: 'email', german: 'E-Mail-Adresse', english: 'e-mail address' },
] as const;

/**
 * A later lead with another address or number may be compensated as a duplicate of this one. Then the buyer could reach the
 * person without having paid.
 */
const isClaimedTwice = ({ claimed_later }: ClaimFacts, dead: 'phone' | 'email') =>
  claimed_later.some(({ same }) => !same.includes(dead));

function emailDead(facts: ClaimFacts): AutomaticDecision | undefined {
  if (isClaimedTwice(facts, 'email')) return undefined;
  const { address } = facts;
  const automatic = { rule: 'email_dead', status: 'approved', dead: 'email' } as const;
  if (address?.state === 'bounced_hard') {
    const code = address.code === null ? '' : ` (${address.code})`;
    const day = dayOf(address.at);
    return {
      ...automatic,
      german: `Eine Nachricht an die E-Mail-Adresse kam am ${day} als unzustellbar zurück${code}.`,
      english: `An e-mail to this address bounced permanently on ${day}${code}.`,
    };
  }
  const dead = deadBy(facts, 'email');
  return (
    dead && {
      ...automatic,
      german: `Die E-Mail-Adresse gibt es nicht: geprüft von ${dead.by} am ${dayOf(dead.at)}.`,
      english: `The mailbox does not exist (checked by ${dead.by} on ${dayOf(dead.at)}).`,
    }
  );
}

function phoneDead(facts: ClaimFacts): AutomaticDecision | undefined {
  if (isClaimedTwice(facts, 'phone')) return undefined;
  const dead = deadBy(facts, 'phone');
  return (
    dead && {
      rule: 'phone_dead',
      status: 'approved',
      dead: 'phone',
      german: `Die Telefonnummer gibt es nicht: geprüft von ${dead.by} am ${dayOf(dead.at)}.`,
      english: `The number does not exist (checked by ${dead.by} on ${dayOf(dead.at)}).`,
    }
  );
}

/** The last certain answer of a provider counts, because a number can be assigned or given up after intake. */
function deadBy({ checks }: ClaimFacts, kind: 'email' | 'phone') {
  const last = checks.findLast(
    (check) => check.kind === kind && check.by !== 'offline' && check.result !== 'unknown',
  );
  return last?.result === 'dead' ? last : undefined;
}

/**
 * Counts from when the lead reached the buyer, not from the assignment: nobody can call earlier. Undecided if that is unknown.
 */
function neOutOfWindow(facts: ClaimFacts): AutomaticDecision | undefined {
  const reached = reachedAt(facts);
  if (reached === null) return undefined;
  const { minDaysForNe: least, maxClaimDays: most } = facts;
  const age = workingDaysBetween(berlinDay(new Date(reached)), berlinDay(new Date(facts.filedAt)));
  if (age >= least && age <= most) return undefined;
  const filed = dayOf(facts.filedAt);
  return {
    rule: 'ne_out_of_window',
    status: 'rejected',
    german: `Der Lead lag Ihnen seit dem ${dayOf(reached)} vor, reklamiert wurde am ${filed}, nach ${werktagen(age)}. Vereinbart sind für „Nicht erreichbar“ ${least} bis ${werktage(most)}.`,
    english: `The lead reached the buyer on ${dayOf(reached)} and was claimed on ${filed}, after ${workingDays(age)}. Agreed: ${least} to ${workingDays(most)}.`,
  };
}

/** By channel or link, but not before the assignment. */
export function reachedAt({
  assigned_at,
  delivered_at,
  opened_at,
}: Pick<ClaimFacts, 'assigned_at' | 'delivered_at' | 'opened_at'>): string | null {
  const first = [delivered_at, opened_at].flatMap((at) => at ?? []).sort()[0];
  if (first === undefined) return null;
  return first < assigned_at ? assigned_at : first;
}

const dayOf = (instant: string) => formatDay(berlinDay(new Date(instant)));
const werktage = (days: number) => (days === 1 ? '1 Werktag' : `${days} Werktage`);
const werktagen = (days: number) => (days === 1 ? '1 Werktag' : `${days} Werktagen`);
const workingDays = (days: number) => (days === 1 ? '1 working day' : `${days} working days`);
