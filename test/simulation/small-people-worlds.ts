/** Small worlds about erased people, mails that come back, alerts and news. */

import type { SQSEvent } from 'aws-lambda';
import * as addressStore from '#functions/data/deliveries/address-store';
import { createOrderCache } from '#functions/data/orders/order-cache';
import { createTemplate } from '#functions/domain/administration/settings';
import { raiseAlerts } from '#functions/domain/alerts/alerts';
import { WATCHED_KINDS } from '#functions/domain/alerts/conditions';
import { saveAlertSettings } from '#functions/domain/alerts/settings';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import { noteEvent } from '#functions/domain/common/addresses';
import { resend } from '#functions/domain/deliveries/delivery-log';
import { eraseLead } from '#functions/domain/leads/erasure';
import { discardLead, editLead } from '#functions/domain/leads/leads';
import { ALERT_TEXTS } from '#functions/platform/alert-texts';
import { createErasures } from '#functions/platform/erasure';
import { create as createBounces } from '#functions/workers/bounces/index';
import { create as createDeliver } from '#functions/workers/deliver/index';
import { tellBuyers } from '#functions/workers/reconcile/news';
import { ALERT_THRESHOLDS, mapAlertKinds } from '#shared/rules/constants';
import { Violation } from '#test/simulation/kernel';
import { bounceEvent } from '#test/simulation/mails';
import {
  type Actor,
  claims,
  firstLead,
  intake,
  posts,
  reconciles,
  type SmallWorld,
  sendsLead,
  WHO,
} from '#test/simulation/small-actors';
import { ENVIRONMENT } from '#test/simulation/world';

const erases: Actor = (api, world) => {
  const lead = [...world.table.items()].find(({ sk }) => sk === 'LEAD');
  const erasures = createErasures(ENVIRONMENT, api.runtime, api.table);
  return eraseLead(erasures, WHO, String(lead?.lead_id), 'request');
};

/** A lead that nobody takes is discarded; nothing of its person is left in it. */
const aDiscardedLead: Actor = async (api, world) => {
  await updateBuyer(api, WHO, 'north', { min_investment: 10_000_000 });
  await intake(1)(api, world);
  const lead = [...world.table.items()].find(({ sk }) => sk === 'LEAD');
  await discardLead(api, WHO, String(lead?.lead_id));
};

const NEW_NAME = 'Neuername';
const edits: Actor = (api, world) => editLead(api, WHO, firstLead(world), { nachname: NEW_NAME });

/** Without that it is erased once more, as for a request. */
const isErased: Actor = async (_, world) => {
  const texts = [...world.table.items()].map((item) =>
    JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value)),
  );
  for (const text of texts)
    if (/person1@|491701000001|neuername/i.test(text))
      throw new Violation(`still tells of an erased person: ${text}`);
};

/** Whoever died, the next erasure completes it. */
const isErasedAgain: Actor = async (api, world) => {
  await erases(api, world);
  const [left] = world.referee.ofErased([...world.table.items()]);
  if (left !== undefined) throw new Violation(left);
};

/** The server of a mail reports one more event of an address. */
const reports =
  (id: string, email = 'north@example.org'): Actor =>
  (api) => {
    const at = api.runtime.now().toISOString();
    const event = { id, state: 'bounced_soft', at, by: 'ses', code: null, diagnostic: null } as const;
    return noteEvent(api, email, event);
  };

/** A lead of a source, to whose address a mail came back. */
const aLeadWithMarks: Actor = async (api, world) => {
  await posts(1, 500_000)(api, world);
  const lead = [...world.table.items()].find(({ sk }) => sk === 'LEAD');
  await reports('first', String(lead?.email))(api, world);
};

const bothReported: Actor = async (api) => {
  const state = await addressStore.addressState(api, 'north@example.org');
  if (state?.count !== 2) throw new Violation(`${state?.count ?? 0} of two events of an address are kept`);
};

const alerts: Actor = ({ table, runtime }) =>
  raiseAlerts(
    { table, runtime, orderCache: createOrderCache(table, runtime.now), texts: ALERT_TEXTS },
    WATCHED_KINDS,
  );
const tells: Actor = ({ table, runtime }) => tellBuyers(table, runtime);

const switchesAlertsOn: Actor = (api) =>
  saveAlertSettings(
    api,
    WHO,
    mapAlertKinds((kind) => ({
      email: kind === 'order_full',
      push: false,
      threshold: ALERT_THRESHOLDS[kind]?.preset ?? null,
    })),
    undefined,
  );

/** A lead that is sent by a mail which comes back. */
const mailed: Actor = async (api, world) => {
  const template = await createTemplate(api, WHO, {
    name: 'Leads',
    smtp_host: 'mail.example',
    smtp_port: 587,
    smtp_user: 'u@mail.example',
    smtp_pass: 'p',
    smtp_subject: 'A lead',
    smtp_body: 'Hello',
  });
  const mail = { send_email: true, email_template_id: template.id, use_sellanylead_api: false };
  await updateBuyer(api, WHO, 'north', mail);
  await intake(1)(api, world);
  world.bounced.add(FIRST_MAIL);
};
const FIRST_MAIL = 'mail-1';

const sentAndComesBack: Actor = async (api, world) => {
  const { runtime } = api;
  await sendsLead(api, world);
  const body = JSON.stringify(bounceEvent(firstLead(world), FIRST_MAIL, runtime.now()));
  const message = { Records: [{ messageId: 'm1', body }] } as SQSEvent;
  await createBounces(ENVIRONMENT, runtime)(message);
};

/** An admin sends it again, and the worker has it. */
const sentAgain: Actor = async (api, world) => {
  const lead_id = firstLead(world);
  await resend(api, WHO, lead_id, 'email');
  const body = JSON.stringify({ lead_id, channel: 'email', round: 2, attempt_count: 0 });
  await createDeliver(ENVIRONMENT, api.runtime)({ Records: [{ messageId: 'm2', body }] } as SQSEvent);
};

/** The second mail has arrived, whatever became of the first one. */
const hasArrived: Actor = async (api, world) => {
  await reconciles(api, world);
  const sent = [...world.table.items()].find(({ sk }) => sk === 'DELIVERY#email');
  if (sent?.round === 2 && sent.status !== 'delivered')
    throw new Violation(`the lead was sent again and is ${String(sent.status)}`);
};

export const PEOPLE_WORLDS: readonly SmallWorld[] = [
  {
    name: 'a person that a source sent is erased, a death at any call',
    limit: 2,
    prepare: aLeadWithMarks,
    actors: { one: erases },
    maxPreemptions: 0,
    dies: 'one',
    after: isErasedAgain,
  },
  {
    name: 'two admins erase a discarded lead',
    limit: 2,
    prepare: aDiscardedLead,
    actors: { one: erases, two: erases },
    maxPreemptions: 1,
    mostRuns: 100,
    after: isErased,
  },
  {
    name: 'a person is erased while its lead is edited',
    limit: 2,
    prepare: intake(1),
    actors: { one: erases, two: edits },
    maxPreemptions: 2,
    after: isErased,
  },
  {
    name: 'a person is erased while its lead is claimed',
    limit: 2,
    prepare: intake(1),
    actors: { one: erases, two: claims },
    maxPreemptions: 1,
    mostRuns: 200,
    after: isErased,
  },
  {
    name: 'a person is erased while its lead is sent',
    limit: 2,
    prepare: intake(1),
    actors: { one: erases, two: sendsLead },
    maxPreemptions: 2,
    mostRuns: 200,
    after: isErased,
  },
  {
    name: 'a person is erased while its lead is distributed',
    limit: 2,
    actors: { one: intake(1), two: erases },
    maxPreemptions: 1,
    mostRuns: 200,
  },
  {
    name: 'two events of an address',
    limit: 1,
    actors: { one: reports('one'), two: reports('two') },
    maxPreemptions: 2,
    after: bothReported,
  },
  {
    name: 'a mail comes back while its lead is sent again',
    limit: 1,
    prepare: mailed,
    actors: { one: sentAndComesBack, two: sentAgain },
    maxPreemptions: 2,
    mostRuns: 200,
    after: hasArrived,
  },
  {
    name: 'two reconciliations find a full order',
    limit: 1,
    prepare: async (api, world) => {
      await switchesAlertsOn(api, world);
      await intake(1)(api, world);
    },
    actors: { one: alerts, two: alerts },
    ahead: 'two',
    mostRuns: 200,
  },
  {
    name: 'two reconciliations find an order nearly full',
    limit: 5,
    prepare: async (api, world) => {
      await updateBuyer(api, WHO, 'north', { news_order_nearly_full: true });
      for (let number = 1; number <= 4; number += 1) await intake(number)(api, world);
    },
    actors: { one: tells, two: tells },
    ahead: 'two',
    mostRuns: 200,
  },
];
