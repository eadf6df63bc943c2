/**
 * Ingests a lead with an idempotency key, so that a client without an answer can repeat the request. The `Idempotency-Key`
 * header: https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */

import { createHash } from 'node:crypto';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as intakeKeyStore from '#functions/data/leads/idempotency-key-store';
import { intakeKeyName, NO_FINGERPRINT } from '#functions/data/leads/idempotency-key-store';
import type { Lead, Person } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import * as orderStore from '#functions/data/orders/order-store';
import { conflict, DomainError, invalid } from '#functions/domain/common/errors';
import type { DistributionContext, DistributionResult } from '#functions/domain/distribution/attempt';
import type { NewConsent } from '#functions/domain/distribution/consent';
import { ingest } from '#functions/domain/distribution/distribution';
import { consentWithdrawn } from '#functions/domain/distribution/do-not-contact';

type Ingested = Exclude<DistributionResult, { status: 'refused' }>;

const KEY_PATTERN = /^[\x21-\x7e]{1,200}$/;

/** A request that took the key this long ago and stored no lead has crashed: no function runs so long. */
const CRASHED_AFTER_MS = 60_000;
/** A request of this age no longer stores a lead, unless its process slept. Earlier, because clocks differ. */
const GIVEN_UP_AFTER_MS = CRASHED_AFTER_MS / 2;

/** @throws DomainError those of `ingest`; 400 for an invalid key; 409 for a key that is in use, of another lead, or of a removed one */
export async function ingestOnce(
  context: DistributionContext,
  key: string,
  person: Person,
  chosenBuyerId: string | undefined,
  consent?: NewConsent,
): Promise<Ingested> {
  if (!KEY_PATTERN.test(key))
    throw invalid('invalid_idempotency_key', 'Idempotency-Key: 1 to 200 visible characters');
  const now = context.runtime.now();
  const mine = {
    lead_id: context.runtime.newId(),
    fingerprint: createHash('sha256')
      .update(JSON.stringify([person, chosenBuyerId, ...(consent === undefined ? [] : [consent.consent])]))
      .digest('hex'),
    taken_at: now.toISOString(),
  };
  const named = await intakeKeyStore.take(context, key, mine);
  if (named.fingerprint !== mine.fingerprint && named.fingerprint !== NO_FINGERPRINT)
    throw conflict('idempotency_key_reused', 'This Idempotency-Key was used for another lead');
  if (named.lead_id !== mine.lead_id) {
    const lead = await leadStore.get(context, named.lead_id);
    if (lead !== undefined) return resultOf(context, lead);
    const crashed = now.getTime() - Date.parse(named.taken_at) >= CRASHED_AFTER_MS;
    if (!crashed || !(await intakeKeyStore.takeOver(context, key, named, mine)))
      throw conflict('request_under_way', 'An earlier request with this Idempotency-Key is in progress');
  }
  try {
    return await ingest(context, person, chosenBuyerId, {
      lead_id: named.lead_id,
      intake_key: intakeKeyName(key),
      givenUpAt: new Date(now.getTime() + GIVEN_UP_AFTER_MS),
      consent,
    });
  } catch (error) {
    // A DomainError means that no lead was stored; after any other error it may have been.
    if (error instanceof DomainError) await intakeKeyStore.release(context, key, named.lead_id);
    throw error;
  }
}

const removed = () => conflict('lead_removed', 'This lead was accepted and has since been removed');

async function resultOf(context: DistributionContext, lead: Lead): Promise<Ingested> {
  const { lead_id, reason = 'no_active_order' } = lead;
  if (lead.erased_at !== undefined) throw removed();
  switch (lead.status) {
    case 'received':
      return { status: 'overtaken', lead_id };
    case 'pending':
      return { status: 'pending', lead_id, reason };
    case 'withdrawn':
      throw consentWithdrawn();
    case 'discarded':
    case 'duplicate':
    case 'deleted':
      throw removed();
    case 'assigned': {
      const { order_id = 0, buyer = 0, sequence = 0, lead_type = 'original' } = lead;
      const [order, owner] = await Promise.all([
        orderStore.get(context, order_id),
        buyerStore.get(context, buyer),
      ]);
      if (order === undefined || owner === undefined)
        throw new Error('The assigned lead has no buyer or order');
      return { status: 'assigned', lead_id, buyer_id: owner.buyer_id, order, sequence, lead_type };
    }
  }
}
