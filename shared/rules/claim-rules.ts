/**
 * The rules by which a claim is proven. Each looks at what is known of the claim and says what follows, or nothing. Pure; the
 * server decides by them, and admins read their names.
 */
import type { ClaimReason, ClaimRule } from '#shared/rules/constants';
import { berlinDay, formatDay, workingDaysBetween } from '#shared/rules/working-days';

/** What the rules need to know. Instants are ISO 8601 in UTC. */
export interface ClaimFacts {
  readonly reason: ClaimReason;
  readonly filedAt: string;
  /** The order's terms, in working days. */
  readonly maxClaimDays: number;
  readonly minDaysForNe: number;
  readonly assigned_at: string;
  /** When a channel first delivered the lead; null while none did. */
  readonly delivered_at: string | null;
  /** When the buyer first opened its list with the lead in it. */
  readonly opened_at: string | null;
  /** Earlier leads of the person that the same buyer has, the oldest first. */
  readonly duplicates: readonly {
    readonly lead_id: string;
    readonly order_id: number;
    readonly sequence: number;
    readonly delivered_at: string;
    readonly same: readonly ('phone' | 'email')[];
    readonly claim_status: string | null;
  }[];
  /** Later leads of the person that the same buyer has, and whose claims are pending or approved. */
  readonly claimed_later: readonly { readonly same: readonly ('phone' | 'email')[] }[];
  /** In the order of time. */
  readonly checks: readonly {
    readonly kind: string;
    readonly by: string;
    readonly result: string;
    readonly at: string;
  }[];
  readonly address: { readonly state: string; readonly at: string; readonly code: string | null } | null;
}

/** What follows from a rule, with its reason as buyers and as admins read it. Contains no personal data. */
export interface ProvenClaim {
  readonly rule: ClaimRule;
  readonly status: 'approved' | 'rejected';
  readonly german: string;
  readonly english: string;
  /** Of a duplicate: the earlier lead, which proves it only while the buyer has it and still pays for it. */
  readonly earlierLead?: string;
  /** Of a duplicate: of what the earlier lead has another one. */
  readonly others?: readonly SameBy[];
  /** What is dead. */
  readonly dead?: SameBy;
}

/** By what two leads are of the same person. */
export type SameBy = (typeof SAME_FIELDS)[number]['field'];

/** The names of the rules, for admins. */
export const CLAIM_RULE_NAMES: Readonly<Record<ClaimRule, string>> = {
  duplicate_same_buyer: 'The buyer has an earlier lead of the same person',
  email_dead: 'The e-mail address does not exist',
  phone_dead: 'The phone number does not exist',
  ne_out_of_window: '“Not reachable” was claimed outside the agreed days',
};

/** What the rules say of a claim; undefined where none of them fits, so that an admin has to look. */
export function provenClaim(facts: ClaimFacts): ProvenClaim | undefined {
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

/** A lead that was made good already proves nothing: the buyer has not paid for it. */
function duplicateSameBuyer({ duplicates }: ClaimFacts): ProvenClaim | undefined {
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
 * Whether a later lead of the person was claimed that has another address or number than the dead one. It may be made good as a
 * duplicate of this one, and then the buyer could reach the person without having paid for either.
 */
const isClaimedTwice = ({ claimed_later }: ClaimFacts, dead: 'phone' | 'email') =>
  claimed_later.some(({ same }) => !same.includes(dead));

function emailDead(facts: ClaimFacts): ProvenClaim | undefined {
  if (isClaimedTwice(facts, 'email')) return undefined;
  const { address } = facts;
  const proven = { rule: 'email_dead', status: 'approved', dead: 'email' } as const;
  if (address?.state === 'bounced_hard') {
    const code = address.code === null ? '' : ` (${address.code})`;
    const day = dayOf(address.at);
    return {
      ...proven,
      german: `Eine Nachricht an die E-Mail-Adresse kam am ${day} als unzustellbar zurück${code}.`,
      english: `An e-mail to this address bounced permanently on ${day}${code}.`,
    };
  }
  const dead = deadBy(facts, 'email');
  return (
    dead && {
      ...proven,
      german: `Die E-Mail-Adresse gibt es nicht: geprüft von ${dead.by} am ${dayOf(dead.at)}.`,
      english: `The mailbox does not exist (checked by ${dead.by} on ${dayOf(dead.at)}).`,
    }
  );
}

function phoneDead(facts: ClaimFacts): ProvenClaim | undefined {
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

/** The last certain answer of a provider counts: a number may have been given out, or given up, since the intake. */
function deadBy({ checks }: ClaimFacts, kind: 'email' | 'phone') {
  const last = checks.findLast(
    (check) => check.kind === kind && check.by !== 'offline' && check.result !== 'unknown',
  );
  return last?.result === 'dead' ? last : undefined;
}

/**
 * A claim is filed by the age of the assignment. Here it counts from when the lead had reached the buyer: nobody can call
 * somebody before. Without a delivery and without an opening that is not known, and nothing follows.
 */
function neOutOfWindow(facts: ClaimFacts): ProvenClaim | undefined {
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

/** When the lead had reached its buyer: by a channel or by its link, but never before it was assigned. */
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
