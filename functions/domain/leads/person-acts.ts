/** What a person does by a signed link: withdraws the own consent or confirms it. Reading the link's page changes nothing. */
import * as leadStore from '#functions/data/leads/lead-store';
import { notFound } from '#functions/domain/common/errors';
import { confirmConsent, viewConfirmation } from '#functions/domain/leads/confirmation';
import type { ErasureContext } from '#functions/domain/leads/erasure';
import { readPersonToken } from '#functions/domain/leads/person-links';
import { withdrawConsent } from '#functions/domain/leads/withdrawal';
import { countAttempt } from '#functions/domain/orders/link-access';
import type { ConsentLink, ConsentLinkState } from '#shared/rules/consent';

/** Limits the calls with such links from one client address. */
const MOST_PER_HOUR = 120;

/** @param follow undefined only reads @throws DomainError 404 for a forged token or an unknown lead, `too_many` */
export async function byPersonToken(
  context: ErasureContext,
  key: Uint8Array,
  { token, address, follow = false }: { token: string; address: string; follow?: boolean },
): Promise<{
  readonly purpose: ConsentLink;
  readonly state: ConsentLinkState;
  readonly done_at: string | null;
}> {
  await countAttempt(context, `consent-address:${address}`, MOST_PER_HOUR, 3600);
  const named = readPersonToken(key, token);
  const lead = named && (await leadStore.get(context, named.leadId));
  if (named === undefined || lead === undefined) throw notFound('Link');
  const { purpose } = named;
  if (purpose === 'confirm') {
    const { leadId } = named;
    const found = follow ? confirmConsent(context, leadId, address) : viewConfirmation(context, leadId);
    return { purpose, ...(await found) };
  }
  const { withdrawn_at: doneAt } = lead;
  if (doneAt !== undefined) return { purpose, state: 'done', done_at: doneAt };
  // Without its fingerprints, the other leads of the person and their buyers cannot be found.
  if (lead.erased_at !== undefined) return { purpose, state: 'over', done_at: null };
  if (!follow) return { purpose, state: 'open', done_at: null };
  const withdrawal = await withdrawConsent(context, { who: 'link', way: 'link' }, [lead.lead_id]);
  return withdrawal === undefined
    ? { purpose, state: 'over', done_at: null }
    : { purpose, state: 'done', done_at: withdrawal.begun_at };
}
