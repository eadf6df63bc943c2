import { describe, expect } from 'vitest';
import { aBuyerRequest } from '#test/factories/buyers';
import { cloudOfFile, it } from '#test/harness/fixtures';

const cloud = cloudOfFile();

describe('managing a buyer', () => {
  it.each([
    [{ use_trackbox_api: true }, 'trackbox_username'],
    [{ max_claim_days: 31 }, 'max_claim_days'],
    [{ probability: 100.5 }, 'probability'],
    [{ buyer_email: 'nobody' }, 'buyer_email'],
    [{ buyer_type: 'other' }, 'buyer_type'],
    [{ custom_data_mapping: '{not json' }, 'custom_data_mapping'],
    [{ custom_data_mapping: { amount: 'no_such_field' } }, 'custom_data_mapping'],
    [{ trackbox_custom_mapping: { MPC_13: 'src' } }, 'trackbox_custom_mapping'],
    [{ trackbox_domain: 'https://box.example.com' }, 'trackbox_domain'],
  ])('refuses %j', async (changes, field) => {
    const reply = await cloud.admin.call('createBuyer', {
      body: aBuyerRequest({ buyer_id: 'refused', ...changes } as never),
    });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ fields: { [field]: expect.any(String) } });
    expect((await cloud.admin.call('getBuyer', { params: { buyerId: 'refused' } })).status).toBe(404);
  });

  it.each(['constructor', '__proto__'])('rejects a mapping for a field named %s', async (name) => {
    const mapping = `{"${name}":"vorname","amount":"anlagebetrag"}`;
    for (const field of ['custom_data_mapping', 'trackbox_custom_mapping'])
      for (const value of [mapping, JSON.stringify(mapping)]) {
        const id = aBuyerRequest().buyer_id;
        const reply = await cloud.admin.raw(
          'POST',
          '/api/buyers',
          `{"buyer_id":"${id}","buyer_email":"a@b.example","probability":0,"${field}":${value}}`,
          { 'content-type': 'application/json' },
        );
        expect(reply).toMatchObject({
          status: 400,
          body: { fields: { [field]: expect.stringContaining(`"${name}"`) } },
        });
      }
  });
});

it('only one order per buyer is opened by concurrent admins', async () => {
  const body = aBuyerRequest();
  const params = { buyerId: body.buyer_id };
  await cloud.admin.ok('createBuyer', { body });
  const both = await Promise.all(
    [1, 2].map(() => cloud.admin.call('createOrder', { body: { buyer_id: body.buyer_id, lead_limit: 2 } })),
  );
  expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
  expect((await cloud.admin.ok('listBuyerOrders', { params })).orders).toHaveLength(1);
});
