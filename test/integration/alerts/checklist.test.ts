/** The checklist of a buyer names what stands in the way, in order, and the what-if says what a change would bring. */

import { describe, expect } from 'vitest';
import * as templateStore from '#functions/data/administration/template-store';
import type { Answer } from '#shared/contract/schemas';
import { aLeadRequest } from '#test/factories/people';
import { aTemplateRequest } from '#test/factories/templates';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

const checklist = (buyerId: string) => cloud.admin.ok('getChecklist', { params: { buyerId } });
const notOk = async (buyerId: string) =>
  (await checklist(buyerId)).checks
    .filter(({ state }) => state !== 'ok')
    .map(({ check, state, action }) => [check, state, action]);
const post = async (count: number, changes: object = {}) => {
  for (let at = 0; at < count; at += 1)
    await cloud.admin.ok('createLead', {
      body: aLeadRequest({ email: `${cloud.runtime.newId()}@a.de`, ...changes }),
    });
  await cloud.settled();
};

describe('the checklist', () => {
  it('names each obstacle with what mends it, and nothing else', async () => {
    const { admin } = cloud;
    const edit = (buyerId: string, body: object) => admin.ok('updateBuyer', { params: { buyerId }, body });
    await admin.ok('createBuyer', {
      body: {
        buyer_id: 'none',
        buyer_email: 'n@example.org',
        probability: 10,
        buyer_type: 'prepay',
      },
    });
    expect(await notOk('none')).toEqual([
      ['order', 'blocked', 'create_order'],
      ['channels', 'blocked', 'edit_buyer'],
      ['intake', 'blocked', 'sources'],
    ]);

    await openOrder(
      admin,
      {
        buyer_id: 'beta',
        buyer_email: 'b@example.org',
        probability: 30,
        min_investment: 100_000,
        use_sellanylead_api: true,
      },
      1,
    );
    // Leads come in, and none gets as far as a buyer.
    const { lead_id: leadId } = await admin.ok('createLead', { body: aLeadRequest() });
    await cloud.settled();
    expect(await notOk('beta')).toEqual([
      ['minimum', 'blocked', 'edit_buyer'],
      ['intake', 'blocked', 'pending'],
    ]);
    expect((await checklist('beta')).summary).toMatch(/: 1 of 1 lead of the last 30 days/);
    await admin.ok('discardPendingLead', { params: { leadId } });
    await openOrder(
      admin,
      { buyer_id: 'alpha', buyer_email: 'a@example.org', probability: 50, use_sellanylead_api: true },
      100,
    );
    await post(4);
    expect(await notOk('alpha')).toEqual([]);
    expect((await checklist('alpha')).summary).toMatch(
      /^Nothing is blocking leads\..*Its turn comes after about/,
    );
    await edit('alpha', { manual_review: true });
    expect(await notOk('alpha')).toEqual([['review', 'blocked', 'pending']]);
    await edit('alpha', { manual_review: false });
    expect(await notOk('beta')).toEqual([['minimum', 'blocked', 'edit_buyer']]);
    const { checks } = await checklist('beta');
    const minimum = checks.find(({ check }) => check === 'minimum');
    expect(minimum?.text).toMatch(/: 5 of 5 leads of the last 30 days were smaller\.$/);
    const { buyers } = await admin.ok('simulate', {
      body: { days: 30, buyers: [{ buyer_id: 'beta', ...minimum?.what_if }] },
    });
    const { got, would_have_received } = buyers.find(({ buyer_id }) => buyer_id === 'beta')!;
    // The lead that nobody took, and by its share of 30 in 80 one or two of the other four.
    expect([got, [2, 3].includes(would_have_received)]).toEqual([0, true]);
  });

  it('says, as the lists of buyers do, that no lead is delivered, until the template is mended', async () => {
    const { admin } = cloud;
    const { template } = await admin.ok('createEmailTemplate', {
      body: aTemplateRequest({ name: 'Neu', smtp_user: 'apikey', smtp_from: 'leads@example.com' }),
    });
    // As templates were stored before their sender was checked.
    const { table } = cloud;
    const setSender = async (smtp_from: string) => {
      const stored = await templateStore.get({ table }, template.id);
      await table.transact([templateStore.changed(stored!, { ...stored!, smtp_from })]);
    };
    await openOrder(
      admin,
      {
        buyer_id: 'silent',
        buyer_email: 'silent@example.org',
        probability: 0,
        send_email: true,
        email_template_id: template.id,
      },
      50,
    );
    const of = ({ buyers }: Answer<'listBuyers'>) =>
      buyers.find(({ buyer_id }) => buyer_id === 'silent')?.delivery_problem;
    const everywhere = async () => {
      const { checks } = await checklist('silent');
      return {
        list: of(await admin.ok('listBuyers')),
        dashboard: of(await admin.ok('getDashboardInitialData')),
        one: (await admin.ok('getBuyer', { params: { buyerId: 'silent' } })).buyer.delivery_problem,
        checklist: checks.find(({ check }) => check === 'channels'),
      };
    };
    const text =
      'Template “Neu” has no sender address. E-mails with leads fail; leads appear only on the link.';
    const problem = { kind: 'no_sender', blocks: true, text, template_id: template.id };
    await setSender('');
    expect(await everywhere()).toEqual({
      list: problem,
      dashboard: problem,
      one: problem,
      checklist: { check: 'channels', state: 'blocked', text, action: 'edit_template', what_if: null },
    });
    expect((await checklist('silent')).summary).not.toMatch(/Nothing is blocking leads/);
    await setSender('leads@example.com');
    expect(await everywhere()).toMatchObject({
      list: null,
      dashboard: null,
      one: null,
      checklist: { state: 'ok', text: 'Leads are delivered by E-mail.', action: null },
    });
    await admin.ok('updateBuyer', { params: { buyerId: 'silent' }, body: { send_email: false } });
    expect(await everywhere()).toMatchObject({
      list: { kind: 'no_channel', blocks: true, template_id: null },
    });
    await admin.ok('deleteBuyer', { params: { buyerId: 'silent' }, body: { links: 'keep' } });
    expect(of(await admin.ok('listBuyers'))).toBeNull();
  });
});
