import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { aLeadRequest } from '#test/factories/people';
import { aPostedLead } from '#test/factories/sources';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

async function onlyBuyers({ admin }: TestCloud, count: number) {
  const { buyers } = await admin.ok('listBuyers', {});
  for (const { buyer_id } of buyers.filter(({ active }) => active))
    await admin.ok('deleteBuyer', { params: { buyerId: buyer_id } });
  const opened = [];
  for (let at = 0; at < count; at += 1) opened.push(await openOrder(admin));
  return opened;
}

async function begin({ admin }: TestCloud, buyerId: string | null) {
  const { salt } = await admin.ok('listKnownPeople', {});
  const begun = await admin.ok('beginKnownPeople', {
    body: { buyer_id: buyerId, name: 'people.csv', file: sha256('file') },
  });
  const listId = begun.list.list_id;
  const addPart = async (number: number, contacts: readonly string[], last?: boolean) => {
    const hashes = contacts.map((contact) => sha256(`${salt} ${contact}`));
    const body = { hashes, people: contacts.length, ...(last !== undefined && { last }) };
    return admin.call('addKnownPeople', { params: { listId, number }, body });
  };
  return { listId, addPart };
}

async function upload(cloud: TestCloud, buyerId: string | null, contacts: readonly string[]) {
  const { listId, addPart } = await begin(cloud, buyerId);
  const add = async () => addPart(1, contacts, true);
  expect(await add()).toMatchObject({ status: 200 });
  return { listId, add };
}

async function aSource({ admin, visitor }: TestCloud) {
  const { source } = await admin.ok('createSource', {
    body: { name: 'Page', src: 'page', consent: 'ignore' },
  });
  const params = { sourceId: source.source_id };
  const { key } = await admin.ok('createSourceKey', { params });
  await admin.ok('updateSource', { params, body: { state: 'live' } });
  return async (leads: readonly object[]) => {
    const headers = { authorization: `Bearer ${key}` };
    const { body } = await visitor.raw('POST', '/api/intake', { leads }, headers);
    return (body as { results: { lead_id?: string }[] }).results;
  };
}

const stateOf = async ({ admin }: TestCloud, leadId = '') => {
  const { lead } = await admin.ok('getLead', { params: { leadId } });
  return [lead.status, lead.reason ?? lead.buyer_id];
};

describe('a person that a buyer knows', () => {
  it('goes to another buyer, alone and in a batch, and waits without one', async ({ cloud }) => {
    const [one, other] = await onlyBuyers(cloud, 2);
    const post = await aSource(cloud);
    const known = aPostedLead({ email: 'Known@example.com' });
    await upload(cloud, one?.buyer_id ?? '', ['email known@example.com']);
    const many = await post([known, ...Array.from({ length: 14 }, () => aPostedLead())]);
    await cloud.settled();
    expect(await stateOf(cloud, many[0]?.lead_id)).toEqual(['assigned', other?.buyer_id]);
    const states = await Promise.all(many.map(async ({ lead_id }) => stateOf(cloud, lead_id)));
    expect(states.filter(([status]) => status === 'assigned')).toHaveLength(15);
    expect(states.some(([, buyer]) => buyer === one?.buyer_id)).toBe(true);
    await upload(cloud, other?.buyer_id ?? '', ['phone +4915112345678', 'email known@example.com']);
    const [again] = await post([aPostedLead({ email: 'other@example.com', telefon: '0151 12345678' })]);
    await cloud.settled();
    expect(await stateOf(cloud, again?.lead_id)).toEqual(['assigned', one?.buyer_id]);
  });

  it('on the list of nobody stays pending until the list is deleted', async ({ cloud }) => {
    const [buyer] = await onlyBuyers(cloud, 1);
    const post = await aSource(cloud);
    const { listId, add } = await upload(cloud, null, ['email never@example.com']);
    expect(await add()).toMatchObject({ status: 200 });
    const [lead] = await post([aPostedLead({ email: 'never@example.com' })]);
    await cloud.settled();
    expect(await stateOf(cloud, lead?.lead_id)).toEqual(['pending', 'already_known']);
    const params = { leadId: lead?.lead_id ?? '' };
    const byHand = await cloud.admin.call('assignPendingLead', {
      params,
      body: { buyer_id: buyer?.buyer_id ?? '' },
    });
    expect(byHand).toMatchObject({ status: 409, body: { code: 'already_known' } });
    const { lists } = await cloud.admin.ok('listKnownPeople', {});
    expect(lists.find(({ list_id }) => list_id === listId)).toMatchObject({
      buyer_id: null,
      name: 'people.csv',
      people: 1,
      parts: 1,
      finished: true,
      deleting: false,
    });
    expect(await cloud.admin.ok('deleteKnownPeople', { params: { listId } })).toMatchObject({
      parts_left: 0,
    });
    await cloud.admin.ok('distributePendingLead', { params });
    expect(await stateOf(cloud, lead?.lead_id)).toEqual(['assigned', buyer?.buyer_id]);
    expect(await add()).toMatchObject({ status: 404 });
  });

  it('is left out of the preview of an order while a list names it', async ({ cloud }) => {
    const [full] = await onlyBuyers(cloud, 1);
    const buyer_id = full?.buyer_id ?? '';
    await cloud.admin.ok('deleteOrder', { params: { buyerId: buyer_id, orderId: full?.orderId ?? 0 } });
    const post = await aSource(cloud);
    await post([aPostedLead({ email: 'waiting@example.com' })]);
    await cloud.settled();
    const previewed = async () => {
      const preview = await cloud.admin.ok('previewOrder', { query: { buyer_id, lead_limit: 5 } });
      return preview.original_leads;
    };
    expect(await previewed()).toBe(1);
    const { listId } = await upload(cloud, buyer_id, ['email waiting@example.com']);
    expect(await previewed()).toBe(0);
    await cloud.admin.ok('deleteKnownPeople', { params: { listId } });
    expect(await previewed()).toBe(1);
  });

  it('is recognised by a contact that an admin corrected, and no longer by the former one', async ({
    cloud,
  }) => {
    const [full] = await onlyBuyers(cloud, 1);
    const body = { buyer_id: full?.buyer_id ?? '' };
    await cloud.admin.ok('deleteOrder', { params: { buyerId: body.buyer_id, orderId: full?.orderId ?? 0 } });
    const post = await aSource(cloud);
    const [other, listed] = await post([
      aPostedLead({ email: 'unlisted@example.com' }),
      aPostedLead({ email: 'listed@example.com' }),
    ]);
    await cloud.settled();
    await upload(cloud, null, ['email corrected@example.com', 'email listed@example.com']);
    const edit = (leadId: string | undefined, email: string) =>
      cloud.admin.ok('updateLead', { params: { leadId: leadId ?? '' }, body: { email } });
    await edit(other?.lead_id, 'corrected@example.com');
    await edit(listed?.lead_id, 'free@example.com');
    await cloud.admin.ok('createOrder', { body: { ...body, lead_limit: 5 } });
    await cloud.settled();
    expect(await stateOf(cloud, other?.lead_id)).toEqual(['pending', 'already_known']);
    expect(await stateOf(cloud, listed?.lead_id)).toEqual(['assigned', body.buyer_id]);
    const params = { leadId: other?.lead_id ?? '' };
    const byHand = await cloud.admin.call('assignPendingLead', { params, body });
    expect(byHand).toMatchObject({ status: 409, body: { code: 'already_known' } });
  });

  it('that an admin entered by hand waits too, however capacity arises', async ({ cloud }) => {
    const [full] = await onlyBuyers(cloud, 1);
    const buyer_id = full?.buyer_id ?? '';
    await cloud.admin.ok('deleteOrder', { params: { buyerId: buyer_id, orderId: full?.orderId ?? 0 } });
    const { lead_id } = await cloud.admin.ok('createLead', {
      body: aLeadRequest({ email: 'entered@example.com' }),
    });
    await upload(cloud, null, ['email entered@example.com']);
    await cloud.admin.ok('createOrder', { body: { buyer_id, lead_limit: 5 } });
    await cloud.settled();
    expect(await stateOf(cloud, lead_id)).toEqual(['pending', 'already_known']);
  });

  it('cannot be given to that buyer when a lead is created', async ({ cloud }) => {
    const [buyer] = await onlyBuyers(cloud, 1);
    await upload(cloud, buyer?.buyer_id ?? '', ['email mine@example.com']);
    const refused = await cloud.admin.call('createLead', {
      body: { ...aLeadRequest({ email: 'mine@example.com' }), buyer_id: buyer?.buyer_id ?? '' },
    });
    expect(refused).toMatchObject({ status: 409, body: { code: 'already_known' } });
  });
});

describe('a list of known people', () => {
  it('is finished with its last part, which can be repeated, and takes no other part', async ({ cloud }) => {
    const { listId, addPart } = await begin(cloud, null);
    const listed = async () => {
      const { lists } = await cloud.admin.ok('listKnownPeople', {});
      return lists.find(({ list_id }) => list_id === listId);
    };
    const refused = { status: 409, body: { code: 'other_part_expected' } };
    expect(await addPart(2, ['email b@example.com'])).toMatchObject(refused);
    expect(await addPart(1, ['email a@example.com'])).toMatchObject({ status: 200 });
    expect(await addPart(1, ['email other@example.com'])).toMatchObject(refused);
    expect(await listed()).toMatchObject({ parts: 1, people: 1, finished: false, file: sha256('file') });
    for (let times = 0; times < 2; times += 1)
      expect(await addPart(2, ['email b@example.com'], true)).toMatchObject({ status: 200 });
    expect(await listed()).toMatchObject({ parts: 2, people: 2, finished: true });
    expect(await addPart(3, ['email c@example.com'])).toMatchObject(refused);
  });
});
