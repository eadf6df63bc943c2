/** Notifications when messages are lost or repeated, mail servers do not confirm, and workers die. */

import { beforeEach, describe, expect } from 'vitest';
import * as claimStore from '#functions/data/claims/claim-store';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import { type NotificationSubject } from '#functions/data/deliveries/notification-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { type NotifyContext, notify } from '#functions/domain/deliveries/notifications';
import { requeueNotifications } from '#functions/domain/deliveries/requeue-notifications';
import type { NotifyMessage } from '#functions/queues/messages';
import { aBuyer } from '#test/factories/buyers';
import { aReport } from '#test/factories/deliveries';
import { aLead, LEAD_ID } from '#test/factories/leads';
import { aTemplate } from '#test/factories/templates';
import { notifyDepsOn, runtimeAt } from '#test/harness/deliveries';
import { it } from '#test/harness/fixtures';

const MINUTE = 60_000;
const START = new Date('2026-11-20T10:00:00.000Z');
const LETTER = {
  about: 'claim_decided',
  lead_id: LEAD_ID,
  status: 'approved',
} as const satisfies NotificationSubject;

let table: Table;
let clock: Date;
let queue: NotifyMessage[];
let letters: Date[];

const runtime = runtimeAt(() => clock);
it.beforeEach(async ({ table: fresh }) => {
  table = fresh;
  const lead = aLead({ claim_id: 5, claim_status: 'approved' });
  const [buyer, template] = [aBuyer({ buyer: lead.buyer ?? 7 }), aTemplate()];
  const { claim } = claimStore.filed(
    {
      claim_id: 5,
      created_at: START.toISOString(),
      claim_reason: 'Fake',
      claim_reason_code: 'fake',
      lead_id: lead.lead_id,
      buyer: buyer.buyer,
      order_id: 12,
      sequence: 1,
    },
    lead,
  );
  await table.put({ put: { ...keys.lead(lead.lead_id), ...lead } });
  await table.put({ put: { ...keys.buyer(buyer.buyer), ...buyer } });
  await table.put({ put: { ...keys.template(template.id), ...template } });
  await table.put({ put: { ...keys.claim(5), ...claim } });
});
beforeEach(() => {
  clock = START;
  queue = [];
  letters = [];
});

const later = (milliseconds: number) => {
  clock = new Date(clock.getTime() + milliseconds);
};
const create = async () => table.put(notificationStore.created(LETTER, clock));
const reconciliation = () => ({
  table,
  queue: {
    send: async (all: readonly { message: NotifyMessage }[]) => {
      queue.push(...all.map(({ message }) => message));
      return all.map(() => true);
    },
  },
  runtime,
});
const deps = (): NotifyContext =>
  notifyDepsOn(table, {
    mail: async () => {
      letters.push(clock);
      return aReport();
    },
    runtime,
  });
const work = async () => {
  for (const message of queue.splice(0)) await notify(deps(), message);
};
const reconcileFor = async (milliseconds: number, every = MINUTE) => {
  for (let passed = 0; passed < milliseconds; passed += every) {
    later(every);
    await requeueNotifications(reconciliation());
    await work();
  }
};

describe('notification', () => {
  it('is sent by the reconciliation when its message is lost, once', async () => {
    await create();
    await reconcileFor(MINUTE);
    expect(letters).toHaveLength(0);
    await reconcileFor(2 * MINUTE);
    expect(letters).toHaveLength(1);
    await notify(deps(), LETTER);
    await reconcileFor(30 * MINUTE);
    expect(letters).toHaveLength(1);
    expect(await notificationStore.get({ table }, LETTER)).toMatchObject({ done_at: expect.any(String) });
  });

  it('is not created again by a repeated record of the stream', async () => {
    await create();
    await notify(deps(), LETTER);
    expect((await create()).ok).toBe(false);
    await reconcileFor(10 * MINUTE);
    expect(letters).toHaveLength(1);
  });

  it('is sent when the worker that was sending it died', async () => {
    await create();
    const died = new Error('killed');
    const dying = { ...deps(), mail: () => Promise.reject(died) };
    await expect(notify(dying, LETTER)).rejects.toBe(died);
    await reconcileFor(10 * MINUTE);
    expect(letters).toHaveLength(1);
  });
});
