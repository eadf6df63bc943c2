import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import * as auditStore from '#functions/data/administration/audit-store';
import type { Table } from '#functions/data/table/table';
import { verifyAudit } from '#functions/domain/administration/audit-check';
import { checkpointsIn } from '#functions/domain/administration/audit-checkpoints';
import { updateBuyer } from '#functions/domain/buyers/buyers';
import { createAccessRecorder } from '#functions/domain/common/access-entries';
import { listAudit } from '#functions/domain/common/audit';
import { changeComments, changeLimit } from '#functions/domain/orders/orders';
import { aLeadRequest } from '#test/factories/people';
import { openOrder } from '#test/harness/cloud';
import { addBuyers, adminOn, quietRuntime } from '#test/harness/distribution';
import { it, itOnEngine } from '#test/harness/fixtures';

it('changes are not recorded in the audit trail if a form is saved unchanged', async ({ table }) => {
  const orders = await addBuyers(table, [{ id: 'acme', probability: 40, limit: 5 }]);
  const admin = adminOn(table);
  const orderId = orders.get('acme')?.order_id ?? 0;
  const entries = async () => (await auditStore.list(admin, {}, { limit: 100 })).entries.length;
  const before = await entries();
  await updateBuyer(admin, 'ada', 'acme', { probability: 40, buyer_email: 'acme@example.org' });
  await changeLimit(admin, 'ada', 'acme', 5);
  await changeComments(admin, 'ada', orderId, '');
  expect(await entries()).toBe(before);
  await changeLimit(admin, 'ada', 'acme', 6);
  await changeComments(admin, 'ada', orderId, 'mornings');
  expect(await entries()).toBe(before + 2);
});

describe('audit trail', () => {
  it('rejects cursors of other lists, and IDs without a kind', async ({ table }) => {
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const place = '2026-01-01T12:00:00.000Z#01ARZ3NDEKTSV4RRFFQ69G5FAV';
    for (const cursor of [
      '',
      'x',
      '%',
      encoded(null),
      encoded({ pk: 1 }),
      encoded(['LEAD#x', place]),
      encoded(['AUDIT#order#2', place]),
      encoded(['AUDIT#order#1', 'x']),
    ])
      for (const list of [{}, { entity: 'order', entityId: '1' } as const])
        await expect(listAudit({ table }, { ...list, limit: 1, cursor })).rejects.toMatchObject({
          code: 'invalid_cursor',
        });
    await expect(listAudit({ table }, { limit: 1, entityId: '1' })).rejects.toMatchObject({
      code: 'entity_required',
    });
  });

  it('follows a buyer to its new id', async ({ table, admin }) => {
    await addBuyers(table, [{ id: 'alpha', probability: 10 }]);
    await updateBuyer(admin, 'ann', 'alpha', { new_buyer_id: 'omega' });
    const { entries } = await listAudit(admin, { entity: 'buyer', entityId: 'omega', limit: 10 });
    expect(entries.map(({ action, label }) => [action, label])).toEqual(
      expect.arrayContaining([
        ['renamed', 'omega'],
        ['created', 'alpha'],
      ]),
    );
  });
});

describe('access by an admin', () => {
  itOnEngine('is recorded once a day, separately from changes', async ({ cloud }) => {
    const { admin, visitor } = cloud;
    const { orderId, token, buyer_id } = await openOrder(admin, { buyer_id: 'looked-at' });
    const { lead_id } = await admin.ok('createLead', { body: aLeadRequest({ buyer_id }) });
    for (let poll = 0; poll < 3; poll += 1) {
      await admin.ok('getLead', { params: { leadId: lead_id } });
      await admin.ok('viewLeads', { params: { token } });
      await visitor.ok('viewLeads', { params: { token } });
    }
    await admin.call('exportPendingLeads', { params: { format: 'csv' } });
    await admin.call('exportLeads', { params: { token, format: 'csv' } });
    await visitor.call('exportLeads', { params: { token, format: 'csv' } });
    const accesses = async (query: object = {}) =>
      (await admin.ok('listAudit', { query: { kind: 'accesses', ...query } })).entries.map(
        ({ who, action, entity, entity_id }) => `${who} ${action} ${entity} ${entity_id}`,
      );
    const order = [`admin link_opened order ${orderId}`, `admin exported order ${orderId}`];
    const ofLeads = [`admin opened lead ${lead_id}`, 'admin exported lead pending'];
    expect(await accesses()).toEqual([order[1], ofLeads[1], order[0], ofLeads[0]]);
    expect((await accesses({ entity: 'order', entity_id: String(orderId) })).toSorted()).toEqual(
      order.toSorted(),
    );
    expect(await accesses({ entity: 'lead' })).toEqual([ofLeads[1], ofLeads[0]]);
    const first = await admin.ok('listAudit', { query: { kind: 'accesses', limit: 1 } });
    expect(await accesses({ limit: 2, cursor: first.next_cursor })).toEqual([ofLeads[1], order[0]]);
    const { entries: changes } = await admin.ok('listAudit', { query: { limit: 200 } });
    expect(changes.filter(({ action }) => /opened|exported/.test(action))).toEqual([]);

    await cloud.advance(24 * 3_600_000);
    await admin.logIn();
    await admin.ok('getLead', { params: { leadId: lead_id } });
    expect(await accesses({ entity: 'lead', entity_id: lead_id })).toHaveLength(2);
  });

  it('costs one write for the first process and one failed write for another', async ({ table }) => {
    let puts = 0;
    const counted = {
      put: (write: Parameters<Table['put']>[0]) => {
        puts += 1;
        return table.put(write);
      },
    };
    const access = { who: 'ann', action: 'opened', entity: 'lead', entityId: 'x' } as const;
    const [one, another] = [1, 2].map(() => createAccessRecorder({ table: counted, runtime: quietRuntime }));
    for (const record of [one, one, another, one]) await record?.(access);
    expect(puts).toBe(2);
    const { entries } = await auditStore.list({ table }, { accesses: true }, { limit: 10 });
    expect(entries).toHaveLength(1);
  });
});

itOnEngine(
  'is sealed by the reconciliation, which sends checkpoints to a file and the operator',
  async ({ cloud }) => {
    for (const hours of [1, 25]) {
      await openOrder(cloud.admin);
      await cloud.advance(hours * 3_600_000);
    }
    const kept = readFileSync(String(cloud.environment.AUDIT_CHECKPOINTS_FILE), 'utf8');
    const mail = cloud.inbox.mails.findLast(({ subject }) => subject.startsWith('Audit trail sealed'));
    const checkpoints = checkpointsIn(`${kept}\n${mail?.text ?? ''}`);
    expect(checkpoints.length).toBeGreaterThanOrEqual(3);
    const found = await verifyAudit(
      auditChainStore.links(cloud),
      cloud.table.scan(),
      auditStore.listed(cloud),
      checkpoints,
    );
    expect(found).toMatchObject({ findings: [], waiting: 0, checkpoints: checkpoints.length });
    expect(found.intact).toBeGreaterThan(3);
  },
);
