/** Concurrent changes of settings, and what admins see of changes, devices and e-mail addresses. */
import { describe, expect, it } from 'vitest';
import type { Origin } from '#functions/data/administration/admin';
import * as adminStore from '#functions/data/administration/admin-store';
import * as auditStore from '#functions/data/administration/audit-store';
import * as sessionStore from '#functions/data/administration/session-store';
import * as templateStore from '#functions/data/administration/template-store';
import { keys } from '#functions/data/table/keys';
import { deviceOf } from '#functions/domain/administration/device';
import {
  createTemplate,
  deleteTemplate,
  saveSwitches,
  updateTemplate,
} from '#functions/domain/administration/settings';
import { addressProblem, withoutAddresses } from '#functions/domain/common/addresses';
import { changesBetween, listAudit } from '#functions/domain/common/audit';
import { mapConcurrently } from '#functions/domain/common/concurrently';
import { cipher } from '#test/factories/secrets';
import { aTemplateRequest } from '#test/factories/templates';
import { quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

async function aStoredTemplate() {
  const table = memoryTable();
  const deps = { table, runtime: quietRuntime, cipher: async () => cipher };
  const stored = await createTemplate(deps, 'ann', aTemplateRequest({ smtp_from: 'a@example.org' }));
  return { deps, table, stored, id: stored.id };
}

describe('an e-mail template', () => {
  it('keeps omitted fields, can lose only its sender, and has its name in the audit trail', async () => {
    const { deps, id, stored } = await aStoredTemplate();
    const renamed = await updateTemplate(deps, 'ann', id, { name: 'New', expected: { name: 'Standard' } });
    expect(renamed).toEqual({ ...stored, name: 'New' });
    const changed = await updateTemplate(deps, 'ann', id, { smtp_from: null, smtp_body: 'B $$nachname$$' });
    expect(changed).toMatchObject({ name: 'New', smtp_from: '', smtp_body: 'B $$nachname$$' });
    // Null and empty text both mean no sender.
    await updateTemplate(deps, 'ann', id, { name: 'Newer', expected: { smtp_from: null } });
    await expect(
      updateTemplate(deps, 'bert', id, { name: 'Newest', expected: { name: 'New' } }),
    ).rejects.toMatchObject({ code: 'edited_meanwhile' });
    await deleteTemplate(deps, 'ann', id);
    const { entries } = await listAudit(deps, { entity: 'template', entityId: id, limit: 10 });
    expect(entries.map(({ action, label }) => `${action} ${label}`)).toEqual([
      'deleted Newer',
      'updated Newer',
      'updated New',
      'updated New',
      'created Standard',
    ]);
  });

  it('has a version that increases with each change, so that an outdated change is rejected', async () => {
    const { deps, table, id, stored } = await aStoredTemplate();
    await updateTemplate(deps, 'ann', id, { name: 'New' });
    expect((await table.transact([templateStore.changed(stored, stored)])).ok).toBe(false);
    expect((await templateStore.get(deps, id))?.version).toBe(stored.version + 1);
  });
});

describe('the stored data of an admin', () => {
  const admin = { username: 'ann', password_hash: 'a', created_at: '', epoch: '1' };

  it('is only changed if it is unchanged since it was read, with or without an epoch', async () => {
    const table = memoryTable();
    for (const one of [admin, { ...admin, username: 'bert', epoch: undefined }]) {
      await table.transact([adminStore.created(one)]);
      const change = async (expected: typeof one, to: string) =>
        (await table.transact([adminStore.sessionsEnded(expected, to)])).ok;
      expect(await change({ ...one, epoch: '0' }, '2')).toBe(false);
      expect(await change(one, '2')).toBe(true);
      expect(await change(one, '3')).toBe(false);
      expect(await change({ ...one, epoch: '2', password_hash: 'b' }, '3')).toBe(false);
    }
  });

  it('contains where a session was last used, if that is known', async () => {
    const table = memoryTable();
    const key = keys.session('ann', 's');
    await table.put({ put: { ...key, used_at: '', limited: true } });
    const use = async (from: Omit<Origin, 'address' | 'user_agent'>) => {
      const origin = { address: '192.0.2.1', user_agent: 'x', ...from };
      await sessionStore.used({ table }, { id: 's', username: 'ann' }, new Date(0), origin);
      return table.get(key);
    };
    expect(await use({ country: 'DE' })).toMatchObject({ country: 'DE', city: '', address: '192.0.2.1' });
    const nowhere = await use({});
    expect(nowhere).toMatchObject({ used_at: new Date(0).toISOString(), user_agent: 'x' });
    expect(nowhere).not.toHaveProperty('country');
    await table.transact([sessionStore.limitLifted({ id: 's', username: 'ann' })]);
    expect(await table.get(key)).not.toHaveProperty('limited');
    await table.delete({ delete: key });
    await use({});
    expect(await table.get(key)).toBeUndefined();
  });

  it('lists invitation links in order of creation, until they expire', async () => {
    const table = memoryTable();
    const invitation = { kind: 'invite', username: 'x', created_by: 'ann', created_at: '' } as const;
    for (const [id, hash, expires_at] of [
      ['2', 'a', 11],
      ['1', 'b', 11],
      ['3', 'c', 10],
    ] as const)
      await table.transact([adminStore.invited({ ...invitation, id, hash, expires_at })]);
    const found = await adminStore.invitations({ table }, new Date(10_000));
    expect(found.map(({ id }) => id)).toEqual(['1', '2']);
  });
});

describe('the audit trail', () => {
  it('shows values in display units, cut at 1000 characters, without secrets', () => {
    const values = { buyer_email: 'x'.repeat(1000), extras: { a: 1 }, probability: 2550, is_on: true };
    expect(changesBetween(undefined, { ...values, smtp_pass: 'secret' })).toEqual([
      { field: 'buyer_email', from: null, to: 'x'.repeat(1000) },
      { field: 'extras', from: null, to: '{"a":1}' },
      { field: 'is_on', from: null, to: true },
      { field: 'probability', from: null, to: 25.5 },
      { field: 'smtp_pass', from: null, to: 'changed' },
    ]);
    for (const field of ['heroleads_api_key', 'smtp_pass', 'user_key', 'app_key', 'token'])
      expect(
        [{ [field]: 'new' }, { [field]: null }].flatMap((is) => changesBetween({ [field]: 'old' }, is)),
      ).toEqual(['changed', null].map((to) => ({ field, from: '********', to })));
    const [long] = changesBetween({ buyer_email: 'y' }, { buyer_email: 'x'.repeat(1001) });
    expect(long).toEqual({ field: 'buyer_email', from: 'y', to: `${'x'.repeat(999)}…` });
  });

  it('accepts a cursor only for its own list', async () => {
    const { deps, id } = await aStoredTemplate();
    for (const name of ['B', 'C']) await updateTemplate(deps, 'ann', id, { name });
    const lists = [{}, { entity: 'template' }, { entity: 'template', entityId: id }] as const;
    for (const list of lists) {
      const { nextCursor } = await listAudit(deps, { ...list, limit: 2 });
      const cursor = nextCursor ?? '';
      expect((await listAudit(deps, { ...list, limit: 2, cursor })).entries).toHaveLength(1);
      const others = [
        { entity: 'order' },
        { entity: 'template', entityId: 'x' },
        { accesses: true },
      ] as const;
      for (const other of others)
        await expect(listAudit(deps, { ...other, limit: 2, cursor })).rejects.toMatchObject({
          code: 'invalid_cursor',
        });
    }
    expect(await auditStore.valuesRemoved(deps, 'template', id, ['smtp_from'])).toHaveLength(1);
    expect(await auditStore.valuesRemoved(deps, 'template', id, ['other'])).toEqual([]);
  });
});

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari on iPhone'],
  ['Mozilla/5.0 (X11; CrOS x86_64) Chrome/140.0.0.0 Safari/537.36 Edg/140.0', 'Edge on ChromeOS'],
  ['curl/8.5.0', 'curl'],
  ['lead-distribution-demo', 'Example data of the first start'],
  ['lead-distribution-leads', 'npm run leads'],
  ['Something (Linux)', 'Linux'],
  ['', 'Unknown device'],
])('names the device of %j %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});

it('shows what a mail server reported about an address, without other addresses', () => {
  const since = { first_at: '2026-11-01T23:30:00.000Z', by: 'ses', code: '5.1.1' } as const;
  const problem = (change: object) => addressProblem({ ...since, ...change } as never);
  expect([
    problem({ state: 'bounced_soft' }),
    problem({ state: 'bounced_hard', by: 'smtp' }),
    problem({ state: 'complained', code: null }),
  ]).toEqual([
    'temporarily rejects e-mails, since 2026-11-02 (SES, status 5.1.1)',
    'does not exist or rejects e-mails, since 2026-11-02 (the mail server, status 5.1.1)',
    'marked an e-mail as spam, since 2026-11-02 (SES)',
  ]);
  expect(withoutAddresses(`  no\r\n  a@x.de ${'😀'.repeat(300)}`)).toBe(`no [address] ${'😀'.repeat(287)}`);
});

it('does not audit settings that are saved unchanged', async () => {
  const { deps } = await aStoredTemplate();
  const recorded = async () => (await listAudit(deps, { entity: 'setting', limit: 10 })).entries.length;
  const { email_verification } = await saveSwitches(deps, 'ann', {});
  expect(await recorded()).toBe(0);
  const changed = { email_verification: !email_verification };
  for (const _ of ['first', 'again']) expect(await saveSwitches(deps, 'ann', changed)).toMatchObject(changed);
  expect(await recorded()).toBe(1);
});

it('mapConcurrently respects its limit, keeps the order, and starts nothing after a failure', async () => {
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    if (item === 13) throw new Error('unlucky');
    return item * 2;
  };
  expect(await mapConcurrently([3, 2, 1, 0], work, 2)).toEqual([6, 4, 2, 0]);
  expect(most).toBe(2);
  await expect(mapConcurrently([13, 4, 5, 6], work, 2)).rejects.toThrow('unlucky');
  expect(begun.slice(4)).not.toContain(6);
});
