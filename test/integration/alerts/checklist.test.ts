/** A buyer's checklist and the buyer lists show the same problems. */

import { describe, expect } from 'vitest';
import * as templateStore from '#functions/data/administration/template-store';
import type { Answer } from '#shared/contract/schemas';
import { aTemplateRequest } from '#test/factories/templates';
import { openOrder, type TestCloud } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

let cloud: TestCloud;
it.beforeAll(({ cloud: started }) => {
  cloud = started;
});

const checklist = (buyerId: string) => cloud.admin.ok('getChecklist', { params: { buyerId } });

describe('the checklist', () => {
  it('shows, like the buyer lists, that no lead is delivered until the template is fixed', async () => {
    const { admin } = cloud;
    const { template } = await admin.ok('createEmailTemplate', {
      body: aTemplateRequest({ name: 'Neu', smtp_user: 'apikey', smtp_from: 'leads@example.com' }),
    });
    // Like templates stored before their sender was checked.
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
