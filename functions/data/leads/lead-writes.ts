/** Changes of a lead that start no distribution attempt: parts of transactions, each with its condition. */
import { anotherOf, type Lead, leadSchema, type Person, wholePerson } from '#functions/data/leads/lead';
import { blanking } from '#functions/data/table/blanking';
import { keys } from '#functions/data/table/keys';
import { asRead, type Delete, equationsAndGaps, type Update } from '#functions/data/table/table';
import type { SameBy } from '#shared/rules/claim-evidence-rules';
import type { ClaimStatus } from '#shared/rules/constants';

interface ClaimOfLead {
  readonly lead_id: string;
  readonly order_id: number;
  readonly claim_id: number;
  readonly claim_status: ClaimStatus;
  readonly claim_reason: string;
  readonly decide_by?: string | undefined;
}

export const absent = (leadId: string): Delete => ({
  delete: keys.lead(leadId),
  condition: 'attribute_not_exists(pk)',
});

/** Fails if the lead is not in the state in which it was read; changes nothing. */
export const unchanged = ({ lead_id, status, distribution_attempt }: Lead): Update => ({
  key: keys.lead(lead_id),
  update: 'SET distribution_attempt = :attempt',
  condition: '#status = :status AND distribution_attempt = :attempt',
  names: { '#status': 'status' },
  values: { ':status': status, ':attempt': distribution_attempt },
});

export function edited(lead: Lead, person: Partial<Person>): Update {
  const { texts, gaps, names, values } = equationsAndGaps(person);
  const expected = asRead(wholePerson(lead));
  return {
    key: keys.lead(lead.lead_id),
    update: [
      ...(texts.length > 0 ? [`SET ${texts.join(', ')}`] : []),
      ...(gaps.length > 0 ? [`REMOVE ${gaps.join(', ')}`] : []),
    ].join(' '),
    // A claim filed at the same time would keep words of the old data, and so would another edit.
    condition: `#status = :status AND distribution_attempt = :attempt AND ${
      lead.claim_id === undefined ? 'attribute_not_exists(claim_id)' : 'attribute_exists(claim_id)'
    } AND ${expected.condition}`,
    names: { ...names, ...expected.names, '#status': 'status' },
    values: { ...values, ...expected.values, ':status': lead.status, ':attempt': lead.distribution_attempt },
  };
}

/** A later erasure uses these hashes to find what the intake stored and the state of the address. */
const {
  fingerprints: _marks,
  intake_key: _key,
  address: _address,
  ...REMOVED_WHEN_DISCARDED
} = leadSchema.shape;

/** The rest stays for statistics. @param address the hash of its e-mail address */
export function discarded(lead: Lead, at: string, address: string): Update {
  // An edit since then would have left its old and new data in the audit trail.
  const expected = asRead(wholePerson(lead));
  const blanks = blanking({ shape: REMOVED_WHEN_DISCARDED });
  return {
    key: keys.lead(lead.lead_id),
    update: `SET #status = :discarded, deleted_at = :at, address = :address, ${blanks.sets.join(', ')}
        REMOVE ${[...blanks.removes, 'gsi1pk', 'gsi1sk'].join(', ')}`,
    condition: `#status = :pending AND distribution_attempt = :attempt AND ${expected.condition}`,
    names: { ...expected.names, ...blanks.names, '#status': 'status' },
    values: {
      ...expected.values,
      ...blanks.values,
      ':discarded': 'discarded',
      ':address': address,
      ':pending': 'pending',
      ':attempt': lead.distribution_attempt,
      ':at': at,
    },
  };
}

/** A lead without a buyer leaves distribution permanently: a running attempt can no longer assign it. */
export function withdrawn(lead: Lead, at: string, withdrawalId: string): Update {
  const leaves = lead.status === 'received' || lead.status === 'pending';
  return {
    key: keys.lead(lead.lead_id),
    update: `SET withdrawn_at = :at, withdrawal_id = :withdrawal${
      leaves
        ? `, #status = :discarded, deleted_at = :at, distribution_attempt = :next
           REMOVE gsi1pk, gsi1sk, in_flight_since, batch_id, chosen_buyer, chosen_by`
        : ''
    }`,
    condition:
      '#status = :status AND distribution_attempt = :attempt AND attribute_not_exists(withdrawn_at) AND attribute_not_exists(erased_at)',
    names: { '#status': 'status' },
    values: {
      ':at': at,
      ':withdrawal': withdrawalId,
      ':status': lead.status,
      ':attempt': lead.distribution_attempt,
      ...(leaves && { ':discarded': 'discarded', ':next': lead.distribution_attempt + 1 }),
    },
  };
}

/** Requires that it was neither refused, discarded, deleted nor erased. */
export const inUse = (leadId: string): Update => ({
  key: keys.lead(leadId),
  update: 'SET lead_id = :id',
  condition: 'attribute_not_exists(erased_at) AND #status IN (:received, :pending, :assigned)',
  names: { '#status': 'status' },
  values: { ':id': leadId, ':received': 'received', ':pending': 'pending', ':assigned': 'assigned' },
});

/** Outside distribution. Fails if the lead is not in the state in which it was read. */
export const consentConfirmed = (lead: Lead, channels: readonly string[]): Update => ({
  key: keys.lead(lead.lead_id),
  update: 'SET consent = :channels REMOVE unconfirmed',
  condition: '#status = :status AND distribution_attempt = :attempt AND attribute_exists(unconfirmed)',
  names: { '#status': 'status' },
  values: { ':channels': [...channels], ':status': lead.status, ':attempt': lead.distribution_attempt },
});

/** Fails if its claim changed or is pending. */
export function deleted(lead: Lead, at: string): Update {
  return {
    key: keys.lead(lead.lead_id),
    update: 'SET #status = :deleted, deleted_at = :at REMOVE gsi1pk, gsi1sk',
    // It may have been reassigned since it was read.
    condition: `#status = :assigned AND distribution_attempt = :attempt AND ${
      lead.claim_status === undefined
        ? 'attribute_not_exists(claim_status)'
        : 'claim_status = :expected AND claim_status <> :pending'
    }`,
    names: { '#status': 'status' },
    values: {
      ':deleted': 'deleted',
      ':assigned': 'assigned',
      ':attempt': lead.distribution_attempt,
      ':at': at,
      ...(lead.claim_status !== undefined && { ':expected': lead.claim_status, ':pending': 'pending' }),
    },
  };
}

/** Fails unless it is an assigned original lead without a claim and with the expected personal data. */
export function claimFiled(expected: Lead, claim: ClaimOfLead): Update {
  const person = asRead(wholePerson(expected));
  return {
    key: keys.lead(expected.lead_id),
    update: `SET claim_id = :claim, claim_status = :pending, claim_reason = :reason${
      claim.decide_by === undefined ? '' : ', claim_decide_by = :day'
    }`,
    condition: `#status = :assigned AND order_id = :order AND lead_type = :original AND attribute_not_exists(claim_id) AND ${person.condition}`,
    names: { ...person.names, '#status': 'status' },
    values: {
      ...person.values,
      ':claim': claim.claim_id,
      ':pending': claim.claim_status,
      ':reason': claim.claim_reason,
      ...(claim.decide_by !== undefined && { ':day': claim.decide_by }),
      ':assigned': 'assigned',
      ':order': claim.order_id,
      ':original': 'original',
    },
  };
}

/** @param dead the field that is proven dead. Fails if the buyer got another value from a later lead that was compensated */
export function claimDecided(
  { lead_id, claim_id, claim_status }: Pick<ClaimOfLead, 'lead_id' | 'claim_id' | 'claim_status'>,
  dead?: { readonly field: SameBy; readonly buyer: number },
): Update {
  const another = dead && anotherOf(dead.field);
  return {
    key: keys.lead(lead_id),
    update: 'SET claim_status = :status',
    condition: `claim_id = :claim AND claim_status = :pending${
      another === undefined ? '' : ` AND (attribute_not_exists(${another}) OR ${another} <> :buyer)`
    }`,
    values: {
      ':status': claim_status,
      ':claim': claim_id,
      ':pending': 'pending',
      ...(dead && { ':buyer': dead.buyer }),
    },
  };
}

/** A later lead is compensated because of this one. Fails unless the buyer has it and no claim of it was approved. */
export function stillPaid(leadId: string, buyer: number, others: readonly SameBy[]): Update {
  const noted = others.map((field) => `${anotherOf(field)} = :buyer`);
  return {
    key: keys.lead(leadId),
    update: `SET ${['#status = :assigned', ...noted].join(', ')}`,
    condition:
      '#status = :assigned AND buyer = :buyer AND (attribute_not_exists(claim_status) OR claim_status <> :approved)',
    names: { '#status': 'status' },
    values: { ':assigned': 'assigned', ':buyer': buyer, ':approved': 'approved' },
  };
}

/** Fails unless the lead is still in its order: a deleted one was settled by the decision before. */
export function claimReversed(
  { lead_id, claim_id, claim_status }: Pick<ClaimOfLead, 'lead_id' | 'claim_id' | 'claim_status'>,
  from: ClaimStatus,
): Update {
  return {
    key: keys.lead(lead_id),
    update: 'SET claim_status = :status',
    condition: 'claim_id = :claim AND claim_status = :from AND #status = :assigned',
    names: { '#status': 'status' },
    values: { ':status': claim_status, ':claim': claim_id, ':from': from, ':assigned': 'assigned' },
  };
}

/** Fails unless the lead is in the order, not erased, and has the expected feedback. */
export function feedbackChanged(
  expected: Lead & { readonly order_id: number },
  feedback: NonNullable<Lead['feedback']>,
): Update {
  return {
    key: keys.lead(expected.lead_id),
    update: 'SET feedback = :feedback',
    condition: `#status = :assigned AND order_id = :order AND attribute_not_exists(erased_at) AND ${
      expected.feedback === undefined ? 'attribute_not_exists(feedback)' : 'feedback = :expected'
    }`,
    names: { '#status': 'status' },
    values: {
      ':assigned': 'assigned',
      ':order': expected.order_id,
      ':feedback': feedback,
      ...(expected.feedback !== undefined && { ':expected': expected.feedback }),
    },
  };
}
