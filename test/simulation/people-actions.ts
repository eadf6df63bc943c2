/** Actions of admins on erasures, retention and notifications, and of buyers on their links and e-mails. */
import { saveAlertSettings } from '#functions/domain/alerts/settings';
import { confirmAddress } from '#functions/domain/buyers/confirm-address';
import {
  beginErasure,
  confirmForRecipient,
  continueErasure,
  remindRecipient,
} from '#functions/domain/leads/erasures';
import { saveFeedback, takeBackFeedback } from '#functions/domain/leads/feedback';
import { saveRetention } from '#functions/domain/leads/retention';
import {
  bySubscriptionToken,
  changeNotificationPreferences,
  unsubscribeToken,
} from '#functions/domain/orders/notification-preferences';
import { createKeyLoader } from '#functions/keys/keys';
import { createErasures } from '#functions/platform/erasure';
import {
  ALERT_THRESHOLDS,
  FEEDBACKS,
  mapAlertKinds,
  NOTIFICATION_KINDS,
  RETENTION_KINDS,
} from '#shared/rules/constants';
import { aVisitor } from '#test/factories/links';
import type { Api } from '#test/simulation/api-process';
import {
  type Actions,
  buyers,
  by,
  itemsLike,
  leads,
  ofBuyer,
  ofFormer,
  ofLead,
  ofOne,
  orders,
  pickFrom,
} from '#test/simulation/picks';
import { ENVIRONMENT, type SimulatedWorld } from '#test/simulation/world';

const loadKeys = createKeyLoader(ENVIRONMENT);

export const erasuresOf = (api: Api) => createErasures(ENVIRONMENT, api.runtime, api.table);
/** Like the API call; the reconciliation continues unfinished erasures. */
export async function erasePerson(api: Api, who: string, lead: string): Promise<void> {
  const erasures = erasuresOf(api);
  const begun = await beginErasure(erasures, who, [lead]);
  try {
    await continueErasure(erasures, begun);
  } catch (error) {
    api.runtime.log.warn('erasure interrupted', { error: String(error) });
  }
}

const recipients = (world: SimulatedWorld) => itemsLike(world, 'RECIPIENT#');

const STATUSES = ['received', 'pending', 'assigned', 'assigned', 'deleted', 'discarded'];

/** Actions if people are erased. */
export const ERASURE_ACTIONS: Actions = {
  'erase a person': by(8, (world) => {
    const status = world.draws.pick('erased', STATUSES);
    const there = leads(world, status).filter(({ erased_at }) => erased_at === undefined);
    const lead = pickFrom(world, 'erased lead', there);
    return lead && ((api, who) => erasePerson(api, who, String(lead.lead_id)));
  }),
  'keep leads for a day': by(2, ({ draws }) => {
    const kind = draws.pick('kept', RETENTION_KINDS);
    const days = draws.chance('not kept', 0.8) ? 1 : null;
    return (api, who) => saveRetention(api, who, { [kind]: days }, undefined);
  }),
  'remind of an erasure': ofOne(
    1,
    'reminded',
    recipients,
    ({ erasure_id, buyer }) =>
      (api) =>
        remindRecipient(erasuresOf(api), String(erasure_id), Number(buyer)),
  ),
  'confirm an erasure': ofOne(
    2,
    'confirmed',
    recipients,
    ({ erasure_id, buyer }) =>
      (api, who) =>
        confirmForRecipient(erasuresOf(api), who, String(erasure_id), Number(buyer)),
  ),
};

/** Actions if admins are alerted and buyers get notifications. */
export const NOTIFICATION_ACTIONS: Actions = {
  'switch alerts': by(3, ({ draws }) => {
    const isOn = draws.chance('alerts', 0.7);
    const rules = mapAlertKinds((kind) => ({
      // Failing deliveries are always reported, which the rules check.
      email: isOn || kind === 'delivery_failing',
      push: isOn,
      threshold: ALERT_THRESHOLDS[kind]?.preset ?? null,
    }));
    return (api, who) => saveAlertSettings(api, who, rules, undefined);
  }),
  'choose news': ofOne(2, 'order', orders, ({ token }, { draws }) => {
    const wanted = { [draws.pick('news', NOTIFICATION_KINDS)]: draws.chance('news', 0.7) };
    return (api) => changeNotificationPreferences(api, aVisitor(), String(token), wanted);
  }),
  unsubscribe: ofOne(2, 'buyer', buyers, ({ buyer, buyer_email }, { draws }) => {
    const [kind, on] = [draws.pick('news', NOTIFICATION_KINDS), draws.chance('again', 0.3)];
    return async (api) => {
      const { unsubscription } = await loadKeys();
      const who = { buyer: Number(buyer), buyer_email: String(buyer_email) };
      return bySubscriptionToken(api, unsubscription, {
        token: unsubscribeToken(unsubscription, who, kind),
        address: '192.0.2.7',
        on,
      });
    };
  }),
  'say something of a lead': ofLead(4, 'assigned', (leadId, world) => {
    const lead = leads(world, 'assigned').find(({ lead_id }) => lead_id === leadId);
    const order = orders(world).find(({ order_id }) => order_id === lead?.order_id);
    const feedback = world.draws.pick('feedback', [...FEEDBACKS, null, 'mistake' as const]);
    const of = [String(order?.token), aVisitor()] as const;
    return (
      order &&
      ((api) =>
        feedback === 'mistake'
          ? takeBackFeedback(api, ...of, { leadId, entry: 1 })
          : saveFeedback(api, ...of, { leadId, feedback }))
    );
  }),
  'open a former link': ofFormer(
    3,
    ({ formerTokens }) => formerTokens,
    'former link opens an order',
    (api, token) => changeNotificationPreferences(api, aVisitor(), token, {}),
  ),
  'address works again': ofBuyer(1, (id) => (api, who) => confirmAddress(api, who, id)),
};
