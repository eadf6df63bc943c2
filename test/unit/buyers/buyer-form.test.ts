/** The buyer form: rules across fields, stored formats, and the destinations of secrets. */

import { describe, expect, it } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as templateStore from '#functions/data/administration/template-store';
import {
  channelsOf,
  hasOpenCapacity,
  isActive,
  isServed,
  pausedBy,
  pausedUntil,
  takesLeads,
} from '#functions/data/buyers/buyer';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import * as poolStore from '#functions/data/distribution/pool-store';
import * as orderStore from '#functions/data/orders/order-store';
import * as sourceStore from '#functions/data/sources/source-store';
import { keys } from '#functions/data/table/keys';
import { listBuyers } from '#functions/domain/buyers/buyer-list';
import { createBuyer, deleteBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { buyerAsTyped } from '#functions/domain/buyers/channel-settings';
import { confirmAddress } from '#functions/domain/buyers/confirm-address';
import { ALL_CHANNELS } from '#shared/channels/channels';
import { SECRET_MASK } from '#shared/rules/constants';
import { aBuyer, aPoolEntry } from '#test/factories/buyers';
import { aSource } from '#test/factories/sources';
import { aTemplate } from '#test/factories/templates';
import { addBuyers, adminOn, changedTable } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const acme = { buyer_id: 'acme', buyer_email: 'sales@acme.example', probability: 10 };

/** A table with a template, where `acme` is created and changed. */
async function form() {
  const table = memoryTable();
  const admin = adminOn(table);
  await table.transact([templateStore.created(aTemplate())]);
  return {
    admin,
    add: (input: Omit<Parameters<typeof createBuyer>[2], keyof typeof acme> = {}) =>
      createBuyer(admin, 'test', { ...acme, ...input }),
    change: (input: Parameters<typeof updateBuyer>[3]) => updateBuyer(admin, 'test', 'acme', input),
    stored: async () => (await buyerStore.byId(admin, 'acme'))!,
  };
}

const TRACKBOX = {
  use_trackbox_api: true,
  trackbox_username: 'boxuser',
  trackbox_password: 'pass',
  trackbox_api_key: 'key',
  trackbox_domain: 'box.example',
  trackbox_ai: '1',
  trackbox_gi: '2',
};

describe('the buyer form', () => {
  it('rejects a claim window shorter than the minimum days for NE', async () => {
    const { add, change } = await form();
    const text = 'Minimum days for NE may not exceed maximum claim days';
    await expect(add({ max_claim_days: 3, min_days_for_ne: 4 })).rejects.toMatchObject({
      kind: 'invalid',
      message: text,
      fields: { min_days_for_ne: text },
    });
    await add({ max_claim_days: 4, min_days_for_ne: 4 });
    await expect(change({ max_claim_days: 3 })).rejects.toMatchObject({ fields: { min_days_for_ne: text } });
  });

  it('has no maximum below its minimum', async () => {
    const { add, change, stored } = await form();
    const text = 'The maximum may not be below the minimum';
    await expect(
      add({ min_investment: 10, max_investment: 9.99, min_term: 2, max_term: 1 }),
    ).rejects.toMatchObject({
      kind: 'invalid',
      fields: { max_investment: text, max_term: text },
    });
    await add({ min_investment: 10, max_investment: 10, min_term: 12, max_term: 12 });
    expect(await stored()).toMatchObject({ max_investment: 1000, min_term: 12, max_term: 12 });
    await expect(change({ min_term: 13 })).rejects.toMatchObject({ fields: { max_term: text } });
    await expect(change({ min_investment: 11 })).rejects.toMatchObject({ fields: { max_investment: text } });
    expect(await change({ max_term: null, min_term: 13 })).toMatchObject({ max_term: null, min_term: 13 });
  });

  it('allows or excludes sources that exist', async () => {
    const { admin, add, change, stored } = await form();
    const text = 'Sources are either allowed or excluded, not both';
    for (const source of [1, 2, 11])
      await admin.table.transact(sourceStore.created(aSource({ source, origins: [] })));
    await add({ sources_excluded: [2, 11] });
    expect(await stored()).toMatchObject({ sources_allowed: [], sources_excluded: [2, 11] });
    const entry = () => poolStore.entry(admin, 1);
    expect(await entry()).toMatchObject({ sources_excluded: [2, 11] });
    await expect(change({ sources_allowed: [1] })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { sources_excluded: text },
    });
    await expect(change({ sources_excluded: [1, 3] })).rejects.toMatchObject({
      code: 'unknown_source',
      fields: { sources_excluded: 'There is no source 3' },
    });
    await change({ sources_allowed: [1], sources_excluded: [], expected: { sources_excluded: [2, 11] } });
    expect(await entry()).toMatchObject({ sources_allowed: [1] });
    expect(await entry()).not.toHaveProperty('sources_excluded');
    await expect(change({ sources_allowed: [2], expected: { sources_allowed: [] } })).rejects.toMatchObject({
      fields: { sources_allowed: expect.anything() },
    });
  });

  it('requires the settings of its channels, and lists missing fields', async () => {
    const { add, change, stored } = await form();
    await expect(add({ use_heroleads_api: true, send_email: true })).rejects.toMatchObject({
      message: expect.stringMatching(/^[^:]+: Required for /),
      fields: {
        email_template_id: 'Required for e-mail delivery',
        heroleads_api_key: 'Required for lead broker delivery',
        heroleads_lead_type_id: 'Required for lead broker delivery',
      },
    });
    await add(TRACKBOX);
    await expect(change({ trackbox_ai: '' })).rejects.toMatchObject({
      fields: { trackbox_ai: 'Required for TrackBox delivery' },
    });
    await change({ use_trackbox_api: false, trackbox_ai: '', trackbox_domain: '' });
    expect(await stored()).toMatchObject({ trackbox_ai: null, trackbox_domain: null, trackbox_gi: '2' });
  });

  it('can be saved with other changes if a template was already missing', async () => {
    const { admin, add, change } = await form();
    await admin.table.transact([buyerStore.changed(await add(), { send_email: true })]);
    expect(await change({ probability: 20 })).toMatchObject({ probability: 2000, send_email: true });
  });

  it('is stored in cents and hundredths, and keeps omitted fields', async () => {
    const { add, change, stored } = await form();
    await add({ min_investment: 1000.29, price_per_lead: 19.99, trackbox_custom_mapping: { a: 'email' } });
    expect(await stored()).toMatchObject({
      probability: 1000,
      min_investment: 100_029,
      price_per_lead: 1999,
      trackbox_custom_mapping: { a: 'email' },
    });
    await change({ min_investment: null, trackbox_ci: '', heroleads_lead_type_id: '12' });
    expect(await stored()).toMatchObject({
      min_investment: null,
      price_per_lead: 1999,
      trackbox_ci: '',
      heroleads_lead_type_id: '12',
    });
    expect(await change({ price_per_lead: null, manual_review: true })).toMatchObject({
      price_per_lead: null,
      manual_review: true,
      version: 3,
    });
    expect((await stored()).version).toBe(3);
  });

  it('accepts only existing templates, which then cannot be deleted', async () => {
    const { admin, add, change } = await form();
    const missing = { kind: 'invalid', code: 'unknown_template' };
    await expect(change({ send_email: true })).rejects.toMatchObject({ kind: 'not_found' });
    await expect(add({ send_email: true, email_template_id: 'none' })).rejects.toMatchObject({
      ...missing,
      fields: { email_template_id: 'The e-mail template does not exist' },
    });
    const { id } = aTemplate();
    const { table } = admin;
    let writes = 0;
    const counting = changedTable(table, {
      transact: (items) => {
        const template = keys.template(id);
        writes += items.filter(
          (item) => 'key' in item && item.key.sk === template.sk && item.key.pk === template.pk,
        ).length;
        return table.transact(items);
      },
    });
    await createBuyer(adminOn(counting), 'test', {
      ...acme,
      send_email: true,
      email_template_id: id,
      reimbursement_email_template_id: id,
    });
    expect(writes).toBe(1);
    await expect(change({ reimbursement_email_template_id: 'none' })).rejects.toMatchObject({
      ...missing,
      fields: { reimbursement_email_template_id: 'The e-mail template does not exist' },
    });
  });
});

describe('a stored secret', () => {
  it('must be entered again for another server or account', async () => {
    const { add, change, stored } = await form();
    await add(TRACKBOX);
    const { trackbox_password: password, trackbox_api_key: key } = await stored();
    const refusal = async (input: Parameters<typeof change>[0]) => {
      const error = (await change(input).catch((thrown: unknown) => thrown)) as { fields?: object };
      return Object.keys(error.fields ?? {}).toSorted();
    };
    expect(await refusal({ trackbox_domain: 'evil.example' })).toEqual([
      'trackbox_api_key',
      'trackbox_password',
    ]);
    expect(
      await refusal({
        trackbox_domain: 'evil.example',
        trackbox_password: SECRET_MASK,
        trackbox_api_key: 'new',
      }),
    ).toEqual(['trackbox_password']);
    expect(await refusal({ trackbox_username: 'ann' })).toEqual(['trackbox_password']);
    expect(await stored()).toMatchObject({ trackbox_password: password, trackbox_api_key: key });
    // Masked or omitted secrets with the same destination stay unchanged.
    await change({ trackbox_gi: '3', trackbox_password: SECRET_MASK });
    expect(await stored()).toMatchObject({ trackbox_password: password, trackbox_api_key: key });
    await change({ trackbox_domain: 'other.example', trackbox_password: 'p2', trackbox_api_key: 'k2' });
    expect((await stored()).trackbox_password).not.toEqual(password);
  });

  it('is not required if it was never stored', async () => {
    const { add, change } = await form();
    await add({ trackbox_domain: 'a.example' });
    await expect(change({ trackbox_domain: 'b.example' })).resolves.toMatchObject({
      trackbox_domain: 'b.example',
    });
  });
});

describe('a buyer', () => {
  it('is active with an order unless paused or deleted, and has the enabled channels', () => {
    const buyer = { active: true, deleted_at: null };
    expect(isActive(buyer, 1)).toBe(true);
    expect(isActive(buyer, null)).toBe(false);
    expect(isActive({ ...buyer, active: false }, 1)).toBe(false);
    expect(isActive({ ...buyer, deleted_at: '2026-05-01T00:00:00Z' }, 1)).toBe(false);
    expect(channelsOf(aBuyer())).toEqual(ALL_CHANNELS.map(({ id }) => id));
    expect(channelsOf(aBuyer({ send_email: false, use_trackbox_api: false, use_http_api: false }))).toEqual([
      'heroleads',
      'sellanylead',
    ]);
  });

  it('serves its one open order, unless paused or deleted', () => {
    expect(isServed(aPoolEntry({ order_id: 12 }), 12)).toBe(true);
    expect(isServed(aPoolEntry({ order_id: 12 }), 13)).toBe(false);
    expect(isServed(aPoolEntry({ order_id: 12, active: false }), 12)).toBe(false);
    expect(isServed(undefined, 12)).toBe(false);
  });

  it('counts each decided claim despite concurrent changes', async () => {
    const { admin, add, change, stored } = await form();
    await add();
    const seen = await stored();
    await change({ manual_review: true });
    await admin.table.transact([buyerStore.claimDecided(seen, 'approved', {})]);
    expect(await stored()).toMatchObject({ approved_claims: 1, manual_review: true });
    const decided = (buyer: typeof seen) =>
      admin.table.transact([buyerStore.claimDecided(buyer, 'approved', { balance_count: 1 })]);
    expect(await decided(seen)).toMatchObject({ ok: false });
    const now = await stored();
    expect(await decided(now)).toMatchObject({ ok: true });
    expect(await stored()).toMatchObject({
      approved_claims: 2,
      rejected_claims: 0,
      balance_count: 1,
      version: now.version + 1,
    });
  });

  it('is listed with its open order, or with its latest one if deleted, or without', async () => {
    const table = memoryTable();
    const admin = adminOn(table);
    await addBuyers(table, [
      { id: 'a', probability: 10, limit: 5 },
      { id: 'b', probability: 10 },
      { id: 'c', probability: 10, limit: 5 },
    ]);
    await deleteBuyer(admin, 'test', 'c');
    const asked: number[][] = [];
    const list = await listBuyers({
      ...admin,
      orderCache: {
        some: async (ids) => {
          asked.push([...ids]);
          return new Map(
            (await orderStore.getMany(admin, ids)).flatMap((one) => (one ? [[one.order_id, one]] : [])),
          );
        },
      },
    });
    expect(
      list.map(({ buyer, order, poolEntry }) => [buyer.buyer_id, order?.order_id, poolEntry?.active]),
    ).toEqual([
      ['a', 1, true],
      ['b', undefined, false],
      ['c', 2, undefined],
    ]);
    expect(asked).toEqual([[1, 2]]);
  });
});

describe('a channel with a rule across fields', () => {
  const HTTP = { use_http_api: true, http_url: 'https://a.example/leads', http_body: '{}' };

  it('rejects settings that break the rule while it is on, except unchanged ones', async () => {
    const { admin, add, change, stored } = await form();
    await expect(add({ ...HTTP, http_id_path: 'a..b' })).rejects.toMatchObject({
      fields: { http_id_path: expect.any(String) },
    });
    await admin.table.transact([buyerStore.changed(await add(HTTP), { http_id_path: 'a..b' })]);
    expect(await change({ probability: 20 })).toMatchObject({ http_id_path: 'a..b' });
    await expect(change({ http_url: 'ftp://a.example' })).rejects.toMatchObject({
      fields: { http_url: expect.any(String) },
    });
    await change({ use_http_api: false, http_url: 'ftp://a.example', http_method: 'PUT' });
    expect(await stored()).toMatchObject({ http_url: 'ftp://a.example', http_method: 'PUT' });
  });

  it('is tested as entered, enabled, and with stored secrets only for the same server', async () => {
    const { admin, add, stored } = await form();
    await add({ ...HTTP, use_http_api: false, http_auth: 'bearer', http_secret: 'secret' });
    const context = { cipher: await admin.cipher(), runtime: admin.runtime };
    const before = await stored();
    const typed = (input: Parameters<typeof buyerAsTyped>[3]) => buyerAsTyped(context, before, 'http', input);
    const { http_secret } = before;
    expect(typed({ http_id_path: 'id' })).toMatchObject({ use_http_api: true, http_secret });
    const elsewhere = { http_url: 'https://b.example' };
    expect(() => typed(elsewhere)).toThrow(
      expect.objectContaining({ fields: { http_secret: expect.any(String) } }),
    );
    expect(typed({ ...elsewhere, http_auth: 'none' })).toMatchObject({ ...elsewhere, http_secret: null });
    expect(() => typed({ http_url: '' })).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    const another = buyerAsTyped(context, undefined, 'http', { ...HTTP, http_auth: 'none' });
    expect(another).toMatchObject({ buyer_id: 'new', http_url: HTTP.http_url, http_secret: null });
    expect(await stored()).toEqual(before);
  });
});

describe('the opening hours and caps of a buyer', () => {
  // A Monday, 10:00 in Berlin.
  const at = new Date('2026-05-04T08:00:00.000Z');
  const days = (from: string, to: string) => ({ weekdays: [1, 2], from, to, holidays_off: false });
  const [open, closed] = [days('09:00', '17:00'), days('11:00', '17:00')];
  const capped = (until: string) => ({
    capped_until: `2026-05-0${until}.000Z`,
    capped_by: 'daily_cap_reached' as const,
  });

  it('require an end after the start', async () => {
    const { add } = await form();
    for (const to of ['09:00', '08:00'])
      await expect(add({ schedule: days('09:00', to) })).rejects.toMatchObject({
        fields: { 'schedule.to': expect.any(String) },
      });
    expect(await add({ schedule: open })).toMatchObject({ schedule: open });
  });

  it.each([
    ['always', {}, undefined, '4T08:00:00'],
    ['within its hours', { schedule: open }, undefined, '4T08:00:00'],
    ['before its hours', { schedule: closed }, 'outside_schedule', '4T09:00:00'],
    ['while a cap lasts', capped('4T08:00:01'), 'daily_cap_reached', '4T08:00:01'],
    ['once the cap ends', capped('4T08:00:00'), undefined, '4T08:00:00'],
    ['capped past its hours', { schedule: open, ...capped('4T22:00:00') }, 'daily_cap_reached', '5T07:00:00'],
    [
      'outside its hours, and capped',
      { schedule: closed, ...capped('4T10:00:00') },
      'outside_schedule',
      '4T10:00:00',
    ],
  ])('decide whether it is paused: %s', (_, times, by, until) => {
    const entry = aPoolEntry({ ...times, has_capacity: true });
    expect(pausedBy(entry, at)).toBe(by);
    expect(pausedUntil(entry, at)?.toISOString()).toBe(`2026-05-0${until}.000Z`);
    expect(takesLeads(entry, at)).toBe(by === undefined);
  });

  it('have no effect on a buyer that is off, full or without weight', () => {
    const entry = aPoolEntry({ has_capacity: true });
    expect(hasOpenCapacity(entry)).toBe(true);
    for (const without of [{ active: false }, { has_capacity: false }, { probability: 0 }])
      expect([hasOpenCapacity({ ...entry, ...without }), takesLeads({ ...entry, ...without }, at)]).toEqual([
        false,
        false,
      ]);
  });
});

describe('an e-mail address confirmed by an admin', () => {
  it('is audited for its buyer', async () => {
    const { admin, add } = await form();
    const { buyer, buyer_email } = await add();
    await confirmAddress(admin, 'anna', 'acme');
    const about = { entity: 'buyer', entityId: String(buyer) } as const;
    expect((await auditStore.list(admin, about, { limit: 1 })).entries).toMatchObject([
      { who: 'anna', action: 'address_confirmed', changes: [{ field: 'buyer_email', to: buyer_email }] },
    ]);
  });
});
