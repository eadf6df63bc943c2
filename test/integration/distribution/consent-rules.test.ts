/** What sources and buyers ask for: consent to calls. */
import { describe, expect } from 'vitest';
import type { Sent } from '#shared/contract/schemas';
import { aSentConsent } from '#test/factories/consents';
import { aLeadRequest } from '#test/factories/people';
import { aPostedLead } from '#test/factories/sources';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

const BY_MAIL = aSentConsent({ channels: ['email'] });

async function aSource({ admin, visitor }: TestCloud, settings: Partial<Sent<'createSource', 'body'>> = {}) {
  const { source } = await admin.ok('createSource', { body: { name: 'Page', src: 'page', ...settings } });
  const params = { sourceId: source.source_id };
  const { key } = await admin.ok('createSourceKey', { params });
  await admin.ok('updateSource', { params, body: { state: 'live' } });
  const post = async (...leads: object[]) => {
    const headers = { authorization: `Bearer ${key}` };
    const { body } = await visitor.raw('POST', '/api/intake', { leads }, headers);
    return (
      body as { results: { status: string; lead_id?: string; withdrawal_url?: string; fields?: object }[] }
    ).results;
  };
  return { params, post };
}

/** The buyers of other tests would take the leads as well. */
async function onlyBuyer({ admin }: TestCloud, ...settings: Parameters<typeof openOrder>[1][]) {
  const { buyers } = await admin.ok('listBuyers', {});
  for (const { buyer_id } of buyers.filter(({ active }) => active))
    await admin.ok('deleteBuyer', { params: { buyerId: buyer_id } });
  return openOrder(admin, ...settings);
}

const stateOf = async ({ admin }: TestCloud, leadId = '') => {
  const { lead } = await admin.ok('getLead', { params: { leadId } });
  return [lead.status, lead.reason ?? lead.buyer_id];
};

describe('a source', () => {
  it('that is new holds leads without consent to calls, single and in a batch', async ({ cloud }) => {
    const { buyer_id } = await onlyBuyer(cloud);
    const { post } = await aSource(cloud);
    const [held, mailOnly, given] = await post(
      aPostedLead(),
      { ...aPostedLead(), consent: BY_MAIL },
      { ...aPostedLead(), consent: aSentConsent() },
    );
    const many = await post(
      ...Array.from({ length: 12 }, (_, at) => ({
        ...aPostedLead(),
        ...(at % 2 === 0 && { consent: aSentConsent() }),
      })),
    );
    await cloud.settled();
    expect(await stateOf(cloud, held?.lead_id)).toEqual(['pending', 'consent_missing']);
    expect(await stateOf(cloud, mailOnly?.lead_id)).toEqual(['pending', 'consent_missing']);
    expect(await stateOf(cloud, given?.lead_id)).toEqual(['assigned', buyer_id]);
    for (const [at, one] of many.entries())
      expect(await stateOf(cloud, one.lead_id)).toEqual(
        at % 2 === 0 ? ['assigned', buyer_id] : ['pending', 'consent_missing'],
      );
  });

  it('keeps a held lead from the backlog until its rule is changed and an admin distributes it', async ({
    cloud,
  }) => {
    const { params, post } = await aSource(cloud);
    const [held] = await post(aPostedLead());
    const leadId = held?.lead_id ?? '';
    const { buyer_id } = await onlyBuyer(cloud);
    await cloud.settled();
    expect(await stateOf(cloud, leadId)).toEqual(['pending', 'consent_missing']);
    const again = () => cloud.admin.ok('distributePendingLead', { params: { leadId } });
    await again();
    expect(await stateOf(cloud, leadId)).toEqual(['pending', 'consent_missing']);
    await cloud.admin.ok('updateSource', { params, body: { consent: 'ignore' } });
    await again();
    expect(await stateOf(cloud, leadId)).toEqual(['assigned', buyer_id]);
  });

  it('that requires consent answers others as invalid and stores nothing', async ({ cloud }) => {
    await openOrder(cloud.admin);
    const { post } = await aSource(cloud, { consent: 'require' });
    const results = await post(
      aPostedLead(),
      { ...aPostedLead(), consent: BY_MAIL },
      { ...aPostedLead(), consent: aSentConsent() },
    );
    expect(results).toMatchObject([
      { status: 'invalid', fields: { consent: 'Consent to calls is required' } },
      { status: 'invalid', fields: { consent: 'Consent to calls is required' } },
      { status: 'accepted' },
    ]);
    expect(results[0]).not.toHaveProperty('lead_id');
  });

  it('that requires consent since yesterday repeats its answer to an earlier lead without', async ({
    cloud,
  }) => {
    await onlyBuyer(cloud);
    const { params, post } = await aSource(cloud, { consent: 'ignore' });
    const lead = aPostedLead();
    const [first] = await post(lead);
    expect(first).toMatchObject({ status: 'accepted' });
    await cloud.admin.ok('updateSource', { params, body: { consent: 'require' } });
    const results = await post(lead, aPostedLead());
    expect(results).toMatchObject([{ status: 'accepted', lead_id: first?.lead_id }, { status: 'invalid' }]);
  });
});

it('a call that is repeated after its wording was retired has its first answer, and a new one is invalid', async ({
  cloud,
}) => {
  const { params, post } = await aSource(cloud);
  await cloud.admin.ok('addConsentText', { params, body: { text: 'Ja, bitte rufen Sie mich an.' } });
  const { text: _, ...given } = aSentConsent();
  const lead = { ...aPostedLead(), consent: { ...given, text_id: 'v1' } };
  const first = await post(lead);
  expect(first).toMatchObject([{ status: 'accepted', withdrawal_url: expect.any(String) }]);
  await cloud.admin.ok('retireConsentText', { params: { ...params, textId: 'v1' } });
  expect(await post(lead, { ...lead, external_id: 'another' })).toMatchObject([
    { status: 'accepted', lead_id: first[0]?.lead_id, withdrawal_url: first[0]?.withdrawal_url },
    { status: 'invalid', fields: { 'consent.text_id': 'The source has no wording with this ID' } },
  ]);
});

describe('a buyer that requires consent', () => {
  it('gets only leads whose person agreed to calls, also by hand', async ({ cloud }) => {
    const { buyer_id } = await onlyBuyer(cloud, { requires_consent: true });
    const pending = await cloud.admin.ok('createLead', { body: aLeadRequest() });
    expect(pending).toMatchObject({ status: 'ineligible', reason: 'consent_missing' });
    const given = await cloud.admin.ok('createLead', {
      body: { ...aLeadRequest(), consent: aSentConsent() },
    });
    expect(given).toMatchObject({ status: 'assigned', buyer: buyer_id });
    const refusal = { status: 409, body: { code: 'consent_required' } };
    expect(
      await cloud.admin.raw('POST', `/api/ineligible-leads/assign/${pending.lead_id}`, { buyer_id }),
    ).toMatchObject(refusal);
    expect(await cloud.admin.raw('POST', '/api/leads', { ...aLeadRequest(), buyer_id })).toMatchObject(
      refusal,
    );
  });

  it('leaves leads without consent to the next buyer that has capacity', async ({ cloud }) => {
    await onlyBuyer(cloud, { requires_consent: true });
    const { lead_id } = await cloud.admin.ok('createLead', { body: aLeadRequest() });
    const { buyer_id } = await openOrder(cloud.admin, { probability: 1 });
    await cloud.settled();
    expect(await stateOf(cloud, lead_id)).toEqual(['assigned', buyer_id]);
  });
});

it('the simulation asks what a buyer would get if it required consent, or no longer did', async ({
  cloud,
}) => {
  const { buyer_id } = await onlyBuyer(cloud);
  for (const given of [undefined, BY_MAIL, aSentConsent()])
    await cloud.admin.ok('createLead', { body: aLeadRequest({ consent: given }) });
  await cloud.settled();
  const simulated = async (buyers: Sent<'simulate', 'body'>['buyers']) => {
    const { buyers: found } = await cloud.admin.ok('simulate', { body: { days: 7, buyers } });
    const row = found.find((one) => one.buyer_id === buyer_id);
    return [row?.got, row?.would_have_received];
  };
  expect(await simulated([])).toEqual([3, 3]);
  expect(await simulated([{ buyer_id, requires_consent: true }])).toEqual([3, 1]);
  await cloud.admin.ok('updateBuyer', { params: { buyerId: buyer_id }, body: { requires_consent: true } });
  await cloud.admin.ok('createLead', { body: aLeadRequest() });
  await cloud.settled();
  expect(await simulated([])).toEqual([3, 3]);
  expect(await simulated([{ buyer_id, requires_consent: false }])).toEqual([3, 4]);
});
