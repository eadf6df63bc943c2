/** Small worlds about erased people, bounces, alerts and notifications. */

import * as addressStore from '#functions/data/deliveries/address-store';
import { createOrderCache } from '#functions/data/orders/order-cache';
import { createTemplate } from '#functions/domain/administration/settings';
import { raiseAlerts } from '#functions/domain/alerts/alerts';
import { WATCHED_KINDS } from '#functions/domain/alerts/conditions';
import { saveAlertSettings } from '#functions/domain/alerts/settings';
import { noteEvent } from '#functions/domain/common/addresses';
import { resend } from '#functions/domain/deliveries/delivery-log';
import { eraseLead } from '#functions/domain/leads/erasure';
import { discardLead, editLead } from '#functions/domain/leads/leads';
import { ALERT_TEXTS } from '#functions/platform/alert-texts';
import { createErasures } from '#functions/platform/erasure';
import { create as createBounces } from '#functions/workers/bounces/index';
import { create as createDeliver } from '#functions/workers/deliver/index';
import { notifyBuyers } from '#functions/workers/reconcile/buyer-notifications';
import { ALERT_THRESHOLDS, mapAlertKinds } from '#shared/rules/constants';
import { Violation } from '#test/simulation/kernel';
import { bounceEvent } from '#test/simulation/mails';
import { TEMPLATE } from '#test/simulation/picks';
import { overwriting, rewriting, unconditional, without } from '#test/simulation/rewriting';
import {
  type Actor,
  changesBuyer,
  claims,
  EVERY,
  event,
  firstLead,
  intake,
  leadsIn,
  oneByOne,
  posts,
  reconciles,
  type SmallWorlds,
  sendsLead,
  WHO,
  waitingLead,
} from '#test/simulation/small-actors';
import { ENVIRONMENT } from '#test/simulation/world';

const erases: Actor = (api, world) => {
  const erasures = createErasures(ENVIRONMENT, api.runtime, api.table);
  return eraseLead(erasures, WHO, String(leadsIn(world)[0]?.lead_id), 'request');
};

/** A discarded pending lead without personal data. */
const aDiscardedLead = oneByOne(changesBuyer({ min_investment: 10_000_000 }), intake(1), (api, world) =>
  discardLead(api, WHO, waitingLead(world)),
);

const edits: Actor = (api, world) => editLead(api, WHO, firstLead(world), { nachname: 'Neuername' });

/** No personal data is left, without a further erasure. */
const isErased: Actor = async (_, { table }) => {
  for (const item of table.items()) {
    const text = JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value));
    if (/person1@|491701000001|neuername/i.test(text))
      throw new Violation(`still identifies an erased person: ${text}`);
  }
};
/** The next erasure completes the work of a dead process. */
const isErasedAgain: Actor = async (api, world) => {
  await erases(api, world);
  const [left] = world.referee.ofErased([...world.table.items()]);
  if (left !== undefined) throw new Violation(left);
};

/** The mail server reports another event about an address. */
const reports =
  (id: string, email = 'north@example.org'): Actor =>
  (api) => {
    const at = api.runtime.now().toISOString();
    return noteEvent(api, email, { id, state: 'bounced_soft', at, by: 'ses', code: null, diagnostic: null });
  };
/** A lead of a source with a bounced address. */
const aLeadWithFingerprints = oneByOne(posts(1, 500_000), (api, world) =>
  reports('first', String(leadsIn(world)[0]?.email))(api, world),
);
const bothReported: Actor = async (api) => {
  const state = await addressStore.addressState(api, 'north@example.org');
  if (state?.count !== 2) throw new Violation(`${state?.count ?? 0} of two events of an address are kept`);
};

const switchesAlertsOn: Actor = (api) => {
  const rules = mapAlertKinds((kind) => ({
    email: kind === 'order_full',
    push: false,
    threshold: ALERT_THRESHOLDS[kind]?.preset ?? null,
  }));
  return saveAlertSettings(api, WHO, rules, undefined);
};
const alerts: Actor = ({ table, runtime }) => {
  const orderCache = createOrderCache(table, runtime.now);
  return raiseAlerts({ table, runtime, orderCache, texts: ALERT_TEXTS }, WATCHED_KINDS);
};
const tells: Actor = ({ table, runtime }) => notifyBuyers(table, runtime);

const FIRST_MAIL = 'mail-1';
/** A lead with a bounced e-mail. */
const mailed: Actor = async (api, world) => {
  const { id } = await createTemplate(api, WHO, TEMPLATE);
  const mail = { send_email: true, email_template_id: id, use_sellanylead_api: false };
  await oneByOne(changesBuyer(mail), intake(1))(api, world);
  world.bounced.add(FIRST_MAIL);
};
const comesBack: Actor = ({ runtime }, world) =>
  createBounces(ENVIRONMENT, runtime)(event(bounceEvent(firstLead(world), FIRST_MAIL, runtime.now())));
/** An admin resends it, and the worker has the message. */
const sentAgain: Actor = async (api, world) => {
  const lead_id = firstLead(world);
  await resend(api, WHO, lead_id, 'email');
  const message = { lead_id, channel: 'email', series: 2, attempt_count: 0 };
  await createDeliver(ENVIRONMENT, api.runtime)(event(message));
};
/** The second e-mail has arrived, whatever the outcome of the first. */
const hasArrived: Actor = async (api, world) => {
  await reconciles(api, world);
  const sent = [...world.table.items()].find(({ sk }) => sk === 'DELIVERY#email');
  if (sent?.series === 2 && sent.status !== 'delivered')
    throw new Violation(`the lead was sent again and is ${String(sent.status)}`);
};

const ERASED = /SET erased_at = :at/;

export const PEOPLE_WORLDS: SmallWorlds = {
  'a person that a source sent is erased, a death at any call': {
    prepare: aLeadWithFingerprints,
    actors: [erases],
    interruptions: 0,
    dies: true,
    after: isErasedAgain,
  },
  'two admins erase a discarded lead': {
    prepare: aDiscardedLead,
    actors: [erases, erases],
    interruptions: 1,
    mostRuns: 100,
    after: isErased,
  },
  'a person is erased while its lead is edited': {
    prepare: intake(1),
    actors: [erases, edits],
    after: isErased,
    shows: {
      // Then only the edit requires the expected values.
      'a concurrent edit survives an erasure': rewriting((write) =>
        ERASED.test(write.UpdateExpression ?? '')
          ? { ...write, ConditionExpression: 'attribute_exists(pk)' }
          : write,
      ),
    },
  },
  'a person is erased while its lead is claimed': {
    prepare: intake(1),
    actors: [erases, claims],
    interruptions: 1,
    mostRuns: 200,
    after: isErased,
    shows: {
      'a concurrent claim survives an erasure': without(ERASED, /AND attribute_not_exists\(claim_id\)/),
    },
  },
  'a person is erased while its lead is sent': {
    prepare: intake(1),
    actors: [erases, sendsLead],
    mostRuns: 200,
    after: isErased,
    shows: {
      'the outcome of a call survives an erasure': without(
        /attempts = :attempts, updated_at = :now/,
        /#series = :series AND sending_until = :until AND/,
      ),
    },
  },
  'a person is erased while its lead is distributed': {
    actors: [intake(1), erases],
    interruptions: 1,
    mostRuns: 200,
  },
  'two events of an address': {
    limit: 1,
    actors: [reports('one'), reports('two')],
    after: bothReported,
    shows: { 'an event of an address is lost': overwriting(/^ADDRESS#/) },
  },
  'an e-mail bounces while its lead is resent': {
    limit: 1,
    prepare: mailed,
    actors: [oneByOne(sendsLead, comesBack), sentAgain],
    mostRuns: 200,
    after: hasArrived,
    shows: {
      'a bounced e-mail fails the next one': without(
        /attempts = :attempts/,
        /#series = :series AND #status = :delivered AND external_id = :external AND/,
      ),
    },
  },
  'two reconciliations find a full order': {
    limit: 1,
    prepare: oneByOne(switchesAlertsOn, intake(1)),
    actors: [alerts, alerts],
    isAhead: true,
    interruptions: EVERY,
    mostRuns: 200,
    shows: { 'an alert is sent twice': overwriting(/\/INCIDENT#/) },
  },
  'two reconciliations find an order nearly full': {
    limit: 5,
    prepare: oneByOne(changesBuyer({ notify_order_nearly_full: true }), ...[1, 2, 3, 4].map(intake)),
    actors: [tells, tells],
    isAhead: true,
    interruptions: EVERY,
    mostRuns: 200,
    shows: {
      'a buyer is notified twice that its order is nearly full': unconditional(
        /^(NOTIFIED#order|NOTIFICATION#order_nearly_full)/,
      ),
    },
  },
};
