/** Interleavings that an admin, a second admin or the distribution can cause. */

import { describe, expect } from 'vitest';
import * as settingStore from '#functions/data/administration/settings-store';
import * as templateStore from '#functions/data/administration/template-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as claimStore from '#functions/data/claims/claim-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as leadStore from '#functions/data/leads/lead-store';
import * as orderStore from '#functions/data/orders/order-store';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import {
  createCredential,
  createTemplate,
  deleteTemplate,
  saveSwitches,
  updateCredential,
} from '#functions/domain/administration/settings';
import { deleteBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { listClaims } from '#functions/domain/claims/claim-list';
import { decideClaim, fileClaim } from '#functions/domain/claims/claims';
import { takeIn } from '#functions/domain/distribution/distribution';
import { reconcile } from '#functions/domain/distribution/reconciliation';
import { editLead } from '#functions/domain/leads/leads';
import { changeLimit, deleteOrder } from '#functions/domain/orders/orders';
import { aReceivedLead } from '#test/factories/leads';
import { aPerson } from '#test/factories/people';
import { aTemplateRequest } from '#test/factories/templates';
import { addBuyers, adminOn, distributionOn, violations } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

const settingsOn = (on: Table) => adminOn(on);

/** A table where something happens right after (or before) the first call of a verb that matches. */
function interrupted(
  on: Table,
  verb: keyof Table,
  matches: (args: readonly unknown[]) => boolean,
  happens: () => Promise<unknown>,
  when: 'before' | 'after' = 'after',
): Table {
  let done = false;
  return new Proxy(on, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== verb) return value.bind(target);
      return async (...args: unknown[]) => {
        const now = !done && matches(args);
        if (now) done = true;
        if (now && when === 'before') await happens();
        const result = await value.apply(target, args);
        if (now && when === 'after') await happens();
        return result;
      };
    },
  });
}

const isKey = (key: { pk: string; sk: string }) => (args: readonly unknown[]) =>
  (args[0] as { pk: string; sk: string }).pk === key.pk && (args[0] as { sk: string }).sk === key.sk;

async function claimed(on: Table, changes = {}) {
  const deps = { ...distributionOn(on), ...adminOn(on) };
  const result = await takeIn(distributionOn(on), aPerson(changes), 'b');
  if (result.status !== 'assigned') throw new Error(result.status);
  const claim = await fileClaim(
    deps,
    { admin: 'test' },
    { leadId: result.lead_id, orderId: result.order.order_id, buyerId: 'b', reason: 'fake' },
  );
  return { result, claim };
}

describe('pool entry of a buyer', () => {
  const agree = async (on: Table) => {
    const buyer = (await buyerStore.byId(adminOn(on), 'b'))!;
    const poolEntry = (await poolStore.entry(adminOn(on), buyer.buyer))!;
    expect({
      probability: poolEntry.probability,
      manual_review: poolEntry.manual_review,
      channels: poolEntry.channels,
      min: poolEntry.min_investment,
      active: poolEntry.active,
    }).toEqual({
      probability: buyer.probability,
      manual_review: buyer.manual_review,
      channels: buyer.send_email ? ['email'] : [],
      min: buyer.min_investment ?? 0,
      active: buyer.active,
    });
  };
  const change = (on: Table) =>
    updateBuyer(adminOn(on), 'other', 'b', {
      probability: 10,
      manual_review: true,
      send_email: false,
      min_investment: 5000,
    });

  it('keeps what another admin saves while the limit is changed', async ({ table }) => {
    await addBuyers(table, [{ id: 'b', probability: 50, limit: 3 }]);
    const on = interrupted(table, 'get', isKey(keys.buyer(1)), () => change(table));
    await changeLimit({ ...adminOn(on) }, 'test', 'b', 9);
    await agree(table);
  });

  it('keeps what another admin saves while a claim is approved', async ({ table }) => {
    await addBuyers(table, [{ id: 'b', probability: 50, limit: 3 }]);
    const { claim } = await claimed(table);
    const on = interrupted(table, 'get', isKey(keys.buyer(1)), () => change(table));
    await decideClaim(
      { ...distributionOn(on), ...adminOn(on) },
      { who: 'test', claimId: claim.claim_id, status: 'approved', notes: '' },
    );
    await agree(table);
  });

  it('stays paused when the buyer is paused while a claim is approved', async ({ table }) => {
    await addBuyers(table, [{ id: 'b', probability: 50, limit: 3 }]);
    const { claim } = await claimed(table);
    const on = interrupted(table, 'get', isKey(keys.buyer(1)), () =>
      updateBuyer(adminOn(table), 'other', 'b', { active: false }),
    );
    await decideClaim(
      { ...distributionOn(on), ...adminOn(on) },
      { who: 'test', claimId: claim.claim_id, status: 'approved', notes: '' },
    );
    await agree(table);
  });
});

describe('search words of a claim', () => {
  const find = async (on: Table, search: string) =>
    (
      await listClaims(adminOn(on), { page: 1, limit: 10, search, sortBy: 'claim_id', descending: false })
    ).claims.map(({ claim }) => claim.claim_id);

  for (const name of ['lead', 'claim'] as const)
    it(`follow the lead when one admin saves it before the other reads the ${name}`, async ({ table }) => {
      await addBuyers(table, [{ id: 'b', probability: 50, limit: 3 }]);
      const { result, claim } = await claimed(table, { email: 'alt@example.org' });
      const first = (await leadStore.get(adminOn(table), result.lead_id))!;
      const key = name === 'lead' ? keys.lead(result.lead_id) : keys.claim(claim.claim_id);
      const on = interrupted(
        table,
        'get',
        isKey(key),
        () =>
          editLead(adminOn(table), 'first', result.lead_id, { email: 'neu@example.org', nachname: 'Zebra' }),
        name === 'lead' ? 'after' : 'before',
      );
      // The form sends every field.
      await editLead(adminOn(on), 'second', result.lead_id, {
        anrede: first.anrede,
        vorname: first.vorname,
        nachname: first.nachname,
        email: first.email,
        telefon: first.telefon,
        anlagebetrag: first.anlagebetrag,
        laufzeit: 99,
      });
      const lead = (await leadStore.get(adminOn(table), result.lead_id))!;
      expect(lead.laufzeit).toBe(99);
      expect(await find(table, lead.email)).toEqual([claim.claim_id]);
      expect(await find(table, 'neu@example.org')).toEqual(
        lead.email === 'neu@example.org' ? [claim.claim_id] : [],
      );
      const stored = (await claimStore.get(adminOn(table), claim.claim_id))!;
      expect(claimStore.rowOf(stored).nachname).toBe(lead.nachname.toLowerCase());
    });

  it('follow the lead however long the names are', async ({ table }) => {
    await addBuyers(table, [{ id: 'b', probability: 50, limit: 3 }]);
    const names = (from: string) =>
      Array.from({ length: 10 }, (_, n) => `${String.fromCharCode(from.charCodeAt(0) + n)}lexander`).join(
        ' ',
      );
    const { result, claim } = await claimed(table, { nachname: names('a') });
    await editLead(adminOn(table), 'test', result.lead_id, {
      nachname: names('k'),
      email: 'x@y.example',
      vorname: 'Q',
    });
    expect(await find(table, 'x@y.example')).toEqual([claim.claim_id]);
  });

  it('include e-mail address and phone number however long the name is', async ({ table }) => {
    await addBuyers(table, [{ id: 'b', probability: 50, limit: 3 }]);
    const { claim } = await claimed(table, {
      vorname: 'Karl-Theodor Maria Nikolaus Johann Jacob',
      nachname: 'von und zu Guttenberg',
      email: 'kt.guttenberg@schlossverwaltung.example',
      telefon: '+49 9223 123456',
    });
    expect(await find(table, 'Guttenberg')).toEqual([claim.claim_id]);
    expect(await find(table, 'kt.guttenberg@schlossverwaltung.example')).toEqual([claim.claim_id]);
    expect(await find(table, '9223123456')).toEqual([claim.claim_id]);
  });
});

describe('settings', () => {
  it('keep both flags of a credential when they are toggled at once', async ({ table }) => {
    const deps = settingsOn(table);
    const { id } = await createCredential(deps, 'test', {
      user_key: 'u'.repeat(30),
      app_key: 'a'.repeat(30),
      notify_lead_assignment: false,
      notify_lead_claims: false,
    });
    const on = settingsOn(
      interrupted(table, 'get', isKey(keys.pushoverCredential(id)), () =>
        updateCredential(deps, 'test', id, { notify_lead_assignment: true }),
      ),
    );
    await updateCredential(on, 'test', id, { notify_lead_claims: true });
    expect(await settingStore.credential(deps, id)).toMatchObject({
      notify_lead_assignment: true,
      notify_lead_claims: true,
    });
  });

  it('keep two switches when they are changed at once', async ({ table }) => {
    const deps = settingsOn(table);
    const on = settingsOn(
      interrupted(table, 'get', isKey(keys.verificationSwitches()), () =>
        saveSwitches(deps, 'test', { email_verification: false }),
      ),
    );
    await saveSwitches(on, 'test', { phone_verification: false });
    expect(await settingStore.switches(deps)).toEqual({
      email_verification: false,
      phone_verification: false,
      name_verification: true,
    });
  });

  it('keep a template that a buyer starts to use at this moment', async ({ table }) => {
    const deps = settingsOn(table);
    const { id } = await createTemplate(deps, 'test', aTemplateRequest());
    const admin = adminOn(table);
    await addBuyers(table, [{ id: 'b', probability: 1 }]);
    const on = settingsOn(
      interrupted(
        table,
        'transact',
        () => true,
        () => updateBuyer(admin, 'other', 'b', { send_email: true, email_template_id: id }),
        'before',
      ),
    );
    await deleteTemplate(on, 'test', id).catch(() => undefined);
    const buyer = (await buyerStore.all(deps))[0] as unknown as { email_template_id: string | null };
    expect(buyer.email_template_id).toBe(id);
    expect(await templateStore.get(deps, id)).toBeDefined();
  });
});

describe('an order that owes a replacement', () => {
  it('moves it to the balance when it is deleted while a crashed distribution attempt has it reserved', async ({
    table,
  }) => {
    await addBuyers(table, [{ id: 'b', probability: 50, limit: 3 }]);
    const { claim, result } = await claimed(table);
    const deps = { ...distributionOn(table), ...adminOn(table) };
    await decideClaim(deps, { who: 'test', claimId: claim.claim_id, status: 'approved', notes: '' });
    // A distribution attempt that reserved the replacement and died.
    const at = new Date(Date.now() - 60_000).toISOString();
    const lead = aReceivedLead({ received_at: at, in_flight_since: at });
    await leadStore.receive(deps, lead);
    expect(await deps.reservations.reserve(result.order.order_id, lead, { at: new Date() })).toMatchObject({
      lead_type: 'reimbursement',
    });
    await deleteOrder(deps, 'test', 'b', result.order.order_id).catch(() => undefined);
    await reconcile(distributionOn(table), 0);
    await deleteOrder(deps, 'test', 'b', result.order.order_id).catch(() => undefined);
    await reconcile(distributionOn(table), 0);
    const order = (await orderStore.get(deps, result.order.order_id))!;
    const buyer = (await buyerStore.byId(deps, 'b'))!;
    const details = (await leadStore.get(deps, lead.lead_id))!;
    expect(order.deleted_at).not.toBeNull();
    // Either it was delivered, or it is owed where it can be delivered from.
    if (details.status !== 'assigned')
      expect([order.reimbursement_pending, buyer.balance_count]).toEqual([0, 1]);
  });
});

describe('a deleted buyer', () => {
  it('keeps no reservation of a crashed distribution attempt', async ({ table }) => {
    await addBuyers(table, [{ id: 'b', probability: 50, limit: 3 }]);
    const deps = { ...distributionOn(table), ...adminOn(table) };
    const at = new Date(Date.now() - 60_000).toISOString();
    const lead = aReceivedLead({ received_at: at, in_flight_since: at });
    await leadStore.receive(deps, lead);
    await deps.reservations.reserve(1, lead, { at: new Date() });
    await deleteBuyer(deps, 'test', 'b').catch(() => undefined);
    await reconcile(distributionOn(table), 0);
    await reconcile(distributionOn(table), 0);
    await deleteBuyer(deps, 'test', 'b').catch(() => undefined);
    expect(await violations(table)).toEqual([]);
  });
});
