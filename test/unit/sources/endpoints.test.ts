/** Callback endpoints of a source on the in-memory table: settings and signing secrets. */

import { describe, expect, it } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as endpointStore from '#functions/data/sources/endpoints';
import { type EndpointSettings, endpointsFor } from '#functions/data/sources/endpoints';
import * as sourceStore from '#functions/data/sources/source-store';
import {
  createSigningSecret,
  readEndpoints,
  revokeSigningSecret,
  updateEndpoints,
} from '#functions/domain/sources/endpoints';
import { cipher } from '#test/factories/secrets';
import { aSource } from '#test/factories/sources';
import { adminOn, interruptedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const NOW = new Date('2026-05-04T12:00:00.000Z');
const settings = (url: string): EndpointSettings => ({ url, events: ['lead.assigned', 'lead.pending'] });
const webhook = settings('https://source.example/hook');
const postback = settings('https://tracker.example/?c={clickId}');

type Values = readonly [from: string | null, to: string | null];

/** Audit entries of a new or removed endpoint. */
const changes = (name: string, url: Values, events: Values) => [
  { field: name, from: url[0], to: url[1] },
  { field: `${name}_events`, from: events[0], to: events[1] },
];

async function aSourceWithout() {
  const table = memoryTable();
  const runtime = { ...quietRuntime, now: () => NOW, sleep: async () => undefined };
  const deps = {
    ...adminOn(table, runtime),
    cipher,
  };
  await table.transact(sourceStore.created(aSource({ name: 'Page' })));
  const audit = async () =>
    (await auditStore.list(deps, { entity: 'source', entityId: '1' }, { limit: 20 })).entries;
  /** The same, but another change comes before the first write. */
  const disturbed = (meanwhile: () => Promise<unknown>) => ({
    ...deps,
    table: interruptedTable(table, 'transact', meanwhile),
  });
  return {
    deps,
    table,
    audit,
    disturbed,
    update: (change: Parameters<typeof updateEndpoints>[3]) => updateEndpoints(deps, 'ada', 1, change),
    stored: () => readEndpoints(deps, 1),
  };
}

describe('endpoints', () => {
  it('stay if they are omitted, and null removes one', async () => {
    const { update, stored, audit } = await aSourceWithout();
    expect(await stored()).toEqual({ source: 1, version: 0, secrets: {} });
    expect(await update({ postback })).toMatchObject({ secret: null, endpoints: { postback, secrets: {} } });
    const { endpoints, secret } = await update({ webhook });
    expect(endpoints).toEqual(await stored());
    expect(endpoints).toMatchObject({ version: 2, webhook, postback });
    expect(secret).toMatch(/^whsec_/);
    await update({ webhook: null });
    expect(await stored()).toMatchObject({ postback });
    expect((await stored()).webhook).toBeUndefined();
    expect(await update({ webhook })).toMatchObject({ secret: null, endpoints: { webhook } });
    await update({ postback: null });
    expect((await stored()).postback).toBeUndefined();
    const entries = await audit();
    expect(entries.at(-1)).toMatchObject({ who: 'ada', label: 'Page', action: 'callbacks_updated' });
    const events = 'lead.assigned, lead.pending';
    expect(entries.map(({ changes }) => changes)).toEqual([
      changes('postback', [postback.url, null], [events, null]),
      changes('webhook', [null, webhook.url], [null, events]),
      changes('webhook', [webhook.url, null], [events, null]),
      changes('webhook', [null, webhook.url], [null, events]),
      changes('postback', [null, postback.url], [null, events]),
    ]);
  });

  it('do not change if they are set to the same values', async () => {
    const { update, stored, audit } = await aSourceWithout();
    await update({ webhook });
    expect(await update({ webhook, postback: null })).toEqual({ endpoints: await stored(), secret: null });
    expect((await stored()).version).toBe(1);
    expect(await audit()).toHaveLength(1);
  });

  it('get subscribed events until they return 410, and again after they are saved', async () => {
    const { update, stored, table, audit } = await aSourceWithout();
    await update({ webhook, postback: { ...postback, events: ['claim.approved'] } });
    expect(endpointsFor(await stored(), 'lead.pending')).toEqual(['webhook']);
    expect(endpointsFor(await stored(), 'claim.approved')).toEqual(['postback']);
    const seen = await stored();
    expect(await endpointStore.gone({ table }, seen, 'webhook', NOW)).toBe(true);
    expect(await endpointStore.gone({ table }, seen, 'postback', NOW)).toBe(false);
    expect(endpointsFor(await stored(), 'lead.pending')).toEqual([]);
    await update({ webhook });
    expect(endpointsFor(await stored(), 'lead.pending')).toEqual(['webhook']);
    expect((await audit())[0]).toMatchObject({
      changes: [{ field: 'webhook_gone', from: true, to: false }],
    });
  });

  it('do not overwrite a concurrent edit', async () => {
    const { update, disturbed, stored } = await aSourceWithout();
    await update({ webhook });
    const stale = update({ webhook: null, expected: { webhook: postback } });
    await expect(stale).rejects.toMatchObject({ code: 'edited_meanwhile' });
    await update({ postback, expected: { webhook, postback: null } });
    // Both changes stay, because the second builds on the result of the first.
    const deps = disturbed(() => update({ postback: null }));
    await updateEndpoints(deps, 'bob', 1, { webhook: settings('https://other.example') });
    expect(await stored()).toMatchObject({ webhook: { url: 'https://other.example' }, version: 4 });
    expect((await stored()).postback).toBeUndefined();
  });

  it('require an existing source', async () => {
    const { deps } = await aSourceWithout();
    const unknown = { kind: 'not_found' };
    await expect(readEndpoints(deps, 2)).rejects.toMatchObject(unknown);
    await expect(updateEndpoints(deps, 'ada', 2, { webhook })).rejects.toMatchObject(unknown);
    await expect(createSigningSecret(deps, 'ada', 2)).rejects.toMatchObject(unknown);
    await expect(revokeSigningSecret(deps, 'ada', 2, 'a')).rejects.toMatchObject(unknown);
  });
});

describe('the signing secrets of webhooks', () => {
  it('are at most two, each shown once and stored encrypted', async () => {
    const { update, deps, stored, audit } = await aSourceWithout();
    const { secret } = await update({ webhook });
    const second = await createSigningSecret(deps, 'ada', 1);
    expect(second.endpoints).toEqual(await stored());
    const { a, b } = (await stored()).secrets;
    expect([cipher.decrypt(a!.secret), cipher.decrypt(b!.secret)]).toEqual([secret, second.secret]);
    expect(b!.created_at).toBe(NOW.toISOString());
    expect(Buffer.from(second.secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    expect((await audit())[0]).toMatchObject({
      who: 'ada',
      label: 'Page',
      action: 'secret_created',
      changes: [{ field: 'signing_secret', from: null, to: 'b' }],
    });
    await expect(createSigningSecret(deps, 'ada', 1)).rejects.toMatchObject({ code: 'two_secrets' });
  });

  it('can be revoked, except the only one of a webhook', async () => {
    const { update, deps, stored, audit } = await aSourceWithout();
    const revoke = (slot: 'a' | 'b') => revokeSigningSecret(deps, 'ada', 1, slot);
    await expect(revoke('a')).rejects.toMatchObject({ kind: 'not_found' });
    await update({ webhook });
    await expect(revoke('b')).rejects.toMatchObject({ kind: 'not_found' });
    await expect(revoke('a')).rejects.toMatchObject({ code: 'only_secret' });
    await createSigningSecret(deps, 'ada', 1);
    expect(await revoke('a')).toEqual(await stored());
    expect(Object.keys((await stored()).secrets)).toEqual(['b']);
    expect((await stored()).webhook).toEqual(webhook);
    expect((await audit())[0]).toMatchObject({
      action: 'secret_revoked',
      changes: [{ field: 'signing_secret', from: 'a', to: null }],
    });
    await update({ webhook: null });
    await revoke('b');
    expect((await stored()).secrets).toEqual({});
  });

  it('are created and revoked on top of concurrent changes', async () => {
    const { update, deps, disturbed, stored } = await aSourceWithout();
    await update({ webhook });
    await createSigningSecret(
      disturbed(() => update({ postback })),
      'ada',
      1,
    );
    expect(await stored()).toMatchObject({ postback, secrets: { a: {}, b: {} } });
    const both = disturbed(() => revokeSigningSecret(deps, 'bob', 1, 'b'));
    await expect(revokeSigningSecret(both, 'ada', 1, 'a')).rejects.toMatchObject({ code: 'only_secret' });
  });
});
