/** Withdrawals and confirmations of consents, and the rules for those who received the leads. */
import type { Item } from '#functions/data/table/table';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import { confirmConsent } from '#functions/domain/leads/confirmation';
import { byPersonToken } from '#functions/domain/leads/person-acts';
import { personToken } from '#functions/domain/leads/person-links';
import { withdrawConsent } from '#functions/domain/leads/withdrawal';
import { createKeyLoader } from '#functions/keys/keys';
import { WITHDRAWAL_WAYS } from '#shared/rules/constants';
import { ERASURE_ACTIONS, erasuresOf } from '#test/simulation/people-actions';
import { type Actions, by, leads, ofBuyer, ofOne, pickFrom } from '#test/simulation/picks';
import { text } from '#test/simulation/referee/facts';
import { ENVIRONMENT } from '#test/simulation/world';

const loadKeys = createKeyLoader(ENVIRONMENT);
const STATUSES = ['received', 'pending', 'assigned', 'assigned', 'assigned', 'deleted'];
const { 'confirm an erasure': CONFIRM, 'remind of an erasure': REMIND } = ERASURE_ACTIONS;

/** Actions if people consent. */
export const CONSENT_ACTIONS: Actions = {
  'withdraw a consent': by(8, (world) => {
    const lead = pickFrom(world, 'withdrawn', leads(world, world.draws.pick('withdrawn', STATUSES)));
    const way = world.draws.pick('way', WITHDRAWAL_WAYS);
    if (lead === undefined) return undefined;
    const leadId = text(lead, 'lead_id');
    return async (api, who) => {
      if (way !== 'link') return withdrawConsent(erasuresOf(api), { who, way }, [leadId]);
      const { consentLink } = await loadKeys();
      const token = personToken(consentLink, leadId, 'withdraw');
      return byPersonToken(erasuresOf(api), consentLink, { token, address: '192.0.2.9', follow: true });
    };
  }),
  'confirm a consent': ofOne(
    6,
    'unconfirmed',
    (world) => leads(world, 'pending').filter(({ unconfirmed }) => unconfirmed === true),
    ({ lead_id }) =>
      (api) =>
        confirmConsent(api, String(lead_id), '192.0.2.9'),
  ),
  'require consent': ofBuyer(1, (id, { draws }) => {
    const requires_consent = draws.chance('requires', 0.5);
    return (api, who) => updateBuyer(api, who, id, { requires_consent });
  }),
  ...(CONFIRM && { 'confirm a withdrawal': CONFIRM }),
  ...(REMIND && { 'remind of a withdrawal': REMIND }),
};

/** Each buyer with a withdrawn lead is notified once. */
export function ofWithdrawals(items: readonly Item[]): string[] {
  const notified = items.filter(
    ({ sk, purpose }) => String(sk).startsWith('RECIPIENT#') && purpose === 'withdrawal',
  );
  return items.flatMap((lead) => {
    const { sk, status, lead_id, buyer, withdrawn_at } = lead;
    if (sk !== 'LEAD' || withdrawn_at === undefined || (status !== 'assigned' && status !== 'deleted'))
      return [];
    const its = notified.filter(
      (one) => one.buyer === buyer && (one.leads as Item[]).some((given) => given.lead_id === lead_id),
    );
    const isNotified = its.some(
      ({ by_hand, email_count, confirmed_at }) =>
        by_hand === true || Number(email_count) > 0 || confirmed_at !== undefined,
    );
    if (its.length === 1 && isNotified) return [];
    return [
      `lead ${String(lead_id)} was withdrawn, and its buyer is listed ${its.length} times${isNotified ? '' : ' and not notified'}`,
    ];
  });
}
