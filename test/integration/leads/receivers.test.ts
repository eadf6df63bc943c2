/** Receivers of a person's leads: screen, information file and erasure list the same buyers. */
import { describe, expect } from 'vitest';
import { settingsOf } from '#test/factories/buyers';
import { aLeadRequest } from '#test/factories/people';
import { SECRETS } from '#test/factories/secrets';
import { openOrder } from '#test/harness/cloud';
import { cloudOfFile, it } from '#test/harness/fixtures';

const cloud = cloudOfFile();
it.beforeAll(async () => {
  cloud.partners.modes.trackbox = 'duplicate';
  const { admin } = cloud;
  const box = settingsOf('trackbox', { templateId: '', partners: cloud.partners.host }, SECRETS);
  await openOrder(admin, {
    buyer_id: 'refuses',
    probability: 90,
    on_refusal: 'reassign',
    ...box,
    email_template_id: null,
  });
  await openOrder(admin, { buyer_id: 'takes', probability: 5, use_sellanylead_api: true });
});

let people = 0;
/** A lead of a new person, refused by the first buyer and assigned to the second, if they are active. */
async function ingest(): Promise<string> {
  people += 1;
  const email = `person${people}@example.org`;
  const telefon = `0151 2345${1000 + people}`;
  const { lead_id } = await cloud.admin.ok('createLead', { body: aLeadRequest({ email, telefon }) });
  await cloud.settled();
  return lead_id;
}

/** The receivers on the screen, in the information file and in the erasure. */
async function namedReceivers(...ids: string[]) {
  const { admin } = cloud;
  const query = { leads: ids.join(',') };
  const { received } = await admin.ok('getPerson', { query });
  const file = await admin.raw('GET', `/api/people/stored/json?leads=${query.leads}`);
  const { empfaenger } = file.body as { readonly empfaenger: readonly { name: string; nummer: string }[] };
  const { erasure } = await admin.ok('beginErasure', { body: { lead_ids: ids } });
  return {
    screen: received.map(({ buyer_id, number }) => `${buyer_id} ${number}`).sort(),
    information: empfaenger.map(({ name, nummer }) => `${name} ${nummer}`).sort(),
    erasure: erasure.recipients
      .flatMap(({ buyer_id, leads }) => leads.map(({ number }) => `${buyer_id} ${number}`))
      .sort(),
  };
}

const all = (...receivers: string[]) => ({
  screen: receivers,
  information: receivers,
  erasure: receivers,
});

describe('the receivers of a lead', () => {
  it('are the buyer that refused it and its current buyer', async () => {
    expect(await namedReceivers(await ingest())).toEqual(all('refuses 1-1', 'takes 2-1'));
  });

  it('include the buyer that refused it while it waits for another', async () => {
    const { admin } = cloud;
    await admin.ok('updateBuyer', { params: { buyerId: 'takes' }, body: { active: 0 } });
    const leadId = await ingest();
    expect((await admin.ok('getLead', { params: { leadId } })).lead.status).toBe('pending');
    expect(await namedReceivers(leadId)).toEqual(all('refuses 1-2'));
    await admin.ok('updateBuyer', { params: { buyerId: 'takes' }, body: { active: 1 } });
  });

  it('still include all its buyers after an admin has deleted it', async () => {
    const leadId = await ingest();
    await cloud.admin.ok('deleteLead', { params: { leadId } });
    expect(await namedReceivers(leadId)).toEqual(all('refuses 1-3', 'takes 2-2'));
  });

  it('are empty if no buyer was found', async () => {
    const { admin } = cloud;
    for (const buyerId of ['takes', 'refuses'])
      await admin.ok('updateBuyer', { params: { buyerId }, body: { active: 0 } });
    const leadId = await ingest();
    expect(await namedReceivers(leadId)).toEqual(all());
  });
});
