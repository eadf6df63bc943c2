/** Follows consents and their withdrawals: no buyer gets what the person did not allow. */
import type { Item } from '#functions/data/table/table';
import { Violation } from '#test/simulation/kernel';
import { instant, isPoolEntry, text, valueOf } from '#test/simulation/referee/facts';
import { hashesOf } from '#test/simulation/referee/hashes';
import type { Change } from '#test/simulation/table-model';

/** Clocks are wrong by seconds, and jump. A lead received later than this began after the withdrawal was stored. */
const SLACK_MS = 60_000;

const consentsToCalls = (lead: Item) =>
  ((lead.consent ?? []) as readonly string[]).includes('phone') && lead.unconfirmed !== true;

interface Watched {
  readonly scheduler: { readonly now: number };
  readonly personKey: Uint8Array;
}

export class ConsentWatch {
  readonly #world: Watched;
  /** Buyers that have required the consent since they exist. */
  readonly #demanding = new Map<string, boolean>();
  /** When each person's fingerprint was first marked, and the latest withdrawal. */
  readonly #marks = new Map<string, { readonly sinceMs: number; readonly withdrawnAt: string }>();
  /** When each lead's consent was given. */
  readonly #given = new Map<string, string>();
  readonly #withdrawn = new Set<string>();

  constructor(world: Watched) {
    this.#world = world;
  }

  follow(changes: readonly Change[]): void {
    for (const change of changes) {
      const { pk, sk, before, after } = change;
      if (isPoolEntry(change) && after !== undefined) {
        const buyer = text(after, 'buyer');
        const always = valueOf(this.#demanding, buyer, () => true);
        this.#demanding.set(buyer, always && after.requires_consent === true);
      } else if (pk.startsWith('DONOTCONTACT#') && after?.withdrawn_at !== before?.withdrawn_at)
        this.#marks.set(pk.slice('DONOTCONTACT#'.length), {
          sinceMs: this.#world.scheduler.now,
          withdrawnAt: text(after, 'withdrawn_at'),
        });
      else if (sk === 'CONSENT' && typeof after?.consent === 'string')
        this.#given.set(pk, text(JSON.parse(after.consent) as Item, 'given_at'));
      else if (sk === 'LEAD' && after?.status === 'assigned' && before?.status !== 'assigned')
        this.#assigned(pk, before, after);
      else if (sk.startsWith('DELIVERY#')) this.#sending(change);
      else if (sk.startsWith('RECIPIENT#') && before?.confirmed_at !== undefined)
        if (before.confirmed_at !== after?.confirmed_at)
          throw new Violation(`the confirmation ${pk} ${sk} does not stay`);
    }
    for (const { pk, sk, after } of changes)
      if (sk === 'LEAD' && after?.withdrawn_at !== undefined) this.#withdrawn.add(pk);
  }

  #assigned(pk: string, before: Item | undefined, lead: Item): void {
    const id = text(lead, 'lead_id');
    const isByHand = before?.chosen_buyer !== undefined;
    if (!consentsToCalls(lead)) {
      if (this.#demanding.get(text(lead, 'buyer')) === true)
        throw new Violation(`lead ${id} has no consent, and its buyer requires one`);
      if (!isByHand && before?.must_consent === true)
        throw new Violation(`lead ${id} is assigned though it is held without consent`);
    }
    if (!isByHand && before?.unconfirmed === true)
      throw new Violation(`lead ${id} is assigned though its consent is not confirmed`);
    for (const hash of hashesOf(lead, this.#world.personKey)) {
      const mark = this.#marks.get(hash);
      const given = this.#given.get(pk) ?? '';
      if (
        mark !== undefined &&
        instant(lead, 'received_at') > mark.sinceMs + SLACK_MS &&
        given <= mark.withdrawnAt
      )
        throw new Violation(`lead ${id} is assigned, and its person withdrew the consent before`);
    }
  }

  #sending({ pk, sk, before, after }: Change): void {
    const isStarted = after?.sending_by !== undefined && after.sending_by !== before?.sending_by;
    if (isStarted && this.#withdrawn.has(pk))
      throw new Violation(`an attempt of ${pk} ${sk} starts after its person withdrew the consent`);
  }
}
