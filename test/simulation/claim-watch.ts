/**
 * Follows claims by their transactions: a reversal removes what an approval gave, once, and an automatic decision is based
 * on the facts at that moment.
 */
import type { Item } from '#functions/data/table/table';
import { Violation } from '#test/simulation/kernel';
import { isOrder, number } from '#test/simulation/referee/facts';
import type { Change } from '#test/simulation/table-model';

/** By rule, the field in which two leads of a person must be equal if both are compensated. */
const DEAD: Readonly<Record<string, string>> = { email_dead: 'email', phone_dead: 'phone' };

interface Duplicate {
  readonly lead_id: string;
  readonly same: readonly string[];
  readonly claim_status: string | null;
}

export class ClaimWatch {
  readonly #leads = new Map<string, Item>();
  /** Replacements credited for claims and not removed since. */
  readonly #credits = new Map<number, number>();
  /** The earlier lead that the approval of a lead's claim is based on, and the buyer that paid for both. */
  readonly #restsOn = new Map<string, Duplicate & { readonly buyer: unknown }>();

  follow(changes: readonly Change[]): void {
    for (const { sk, after } of changes)
      if (sk === 'LEAD' && after !== undefined) this.#leads.set(String(after.lead_id), after);
    for (const { pk, before, after } of changes)
      if (pk.startsWith('REPLACEMENTS#') && before === undefined) this.#credited(after, changes);
    for (const { sk, before, after } of changes)
      if (sk === 'CLAIM' && before?.claim_status !== after?.claim_status) this.#moved(before, after, changes);
  }

  #credited(entry: Item | undefined, changes: readonly Change[]): void {
    const kind = String(entry?.kind);
    if (kind !== 'credit' && kind !== 'credit_undone') return;
    const id = number(entry, 'claim_id');
    const net = (this.#credits.get(id) ?? 0) + (kind === 'credit' ? 1 : -1);
    this.#credits.set(id, net);
    if (net !== 0 && net !== 1) throw new Violation(`claim ${id} is compensated ${net} times`);
    const isDecided = ({ sk, before, after }: Change) =>
      sk === 'CLAIM' && after?.claim_id === id && before?.claim_status !== after.claim_status;
    if (!changes.some(isDecided)) throw new Violation(`claim ${id} has a ${kind} without a decision`);
  }

  #moved(before: Item | undefined, after: Item | undefined, changes: readonly Change[]): void {
    const [id, lead] = [number(after ?? before, 'claim_id'), String(after?.lead_id)];
    const [from, to] = [before?.claim_status, after?.claim_status];
    const wrong = (why: string) =>
      new Violation(`claim ${id} goes from ${String(from)} to ${String(to)}, ${why}`);
    if (after === undefined) throw wrong('and is gone');
    const notified = changes.find(({ sk, after: one }) => sk === 'LEAD' && one?.lead_id === lead)?.after;
    if (notified?.claim_id !== id || notified.claim_status !== to)
      throw wrong('and its lead does not say so');
    if (from === undefined) return;
    if (from !== 'pending') {
      if (before?.rule === undefined || before.reversed_at !== undefined || after.reversed_at === undefined)
        throw wrong('and is final');
      if (notified.status !== 'assigned') throw wrong('and its lead was settled by the decision before');
    }
    this.#owed(before, after, changes, wrong);
    if (from === 'pending' && after.rule !== undefined && to === 'approved')
      this.#byRule(after, changes, wrong);
    else this.#restsOn.delete(lead);
  }

  /** Owed replacements and counts change in the same transaction as the claim. */
  #owed(
    before: Item | undefined,
    after: Item,
    changes: readonly Change[],
    wrong: (why: string) => Violation,
  ): void {
    const moved = (name: string) =>
      changes
        .filter((change) => change.pk === 'BUYERS' || isOrder(change))
        .reduce((sum, { before: was, after: is }) => sum + number(is, name) - number(was, name), 0);
    const isPrepaid = changes.some(
      ({ pk, after: order }) =>
        pk.startsWith('ORDERS#') && order?.order_id === after.order_id && order?.buyer_type === 'prepay',
    );
    const owed = moved('reimbursement_pending') + moved('balance_count');
    const expected = !isPrepaid
      ? 0
      : Number(after.claim_status === 'approved') - Number(before?.claim_status === 'approved');
    if (owed !== expected) throw wrong(`and ${owed} replacements come with it`);
    for (const status of ['approved', 'rejected']) {
      const by = Number(after.claim_status === status) - Number(before?.claim_status === status);
      // By order and by buyer.
      if (moved(`${status}_claims`) !== 2 * by) throw wrong(`and ${status} ones are counted wrongly`);
    }
  }

  /** Of two leads of a person only one is compensated automatically: a duplicate, while the buyer pays for the earlier one. */
  #byRule(claim: Item, changes: readonly Change[], wrong: (why: string) => Violation): void {
    const lead = String(claim.lead_id);
    const dead = DEAD[String(claim.rule)];
    // If the buyer has refused the earlier lead since, the claims of another buyer on it do not matter.
    for (const [later, { lead_id, same, buyer }] of this.#restsOn)
      if (lead_id === lead && buyer === claim.buyer && dead !== undefined && !same.includes(dead))
        throw wrong(`by ${String(claim.rule)}, and lead ${later} was compensated because of it`);
    if (claim.rule !== 'duplicate_same_buyer') return;
    const kept = changes.find(
      ({ pk, sk }) => pk === `CLAIM#${number(claim, 'claim_id')}` && sk === 'EVIDENCE#decided',
    );
    if (kept === undefined) throw wrong('by a rule, without evidence');
    const { duplicates } = JSON.parse(String(kept.after?.evidence)) as { readonly duplicates: Duplicate[] };
    const earlier = duplicates.find(({ claim_status }) => claim_status !== 'approved');
    const other = earlier && this.#leads.get(earlier.lead_id);
    if (
      earlier === undefined ||
      other?.status !== 'assigned' ||
      other.buyer !== claim.buyer ||
      other.claim_status === 'approved'
    )
      throw wrong(`because of lead ${earlier?.lead_id ?? ''}, which the buyer does not pay for`);
    this.#restsOn.set(lead, { ...earlier, buyer: claim.buyer });
  }
}
