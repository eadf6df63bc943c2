/** A buyer without working delivery: every screen that shows it has a warning with a link to the fix. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import * as templateStore from '#functions/data/administration/template-store';
import { expectAccessible } from '#test/e2e/accessibility-setup';
import { addBuyer, addLead, closeDialogs, dialog, row, sees, seesMessage, step } from '#test/e2e/admin-setup';
import { accessibilityProblems, setUpSite } from '#test/e2e/fixture';
import { addTemplate } from '#test/harness/cloud';

let page: Page;
let template: string;
const site = setUpSite(async () => {
  template = await addTemplate(site.cloud, {
    name: 'Neu',
    smtp_user: 'apikey',
    smtp_from: 'leads@example.com',
  });
  await addBuyer(site.cloud, { buyer_id: 'silent', probability: 30 });
  await addBuyer(site.cloud, { buyer_id: 'mailed', send_email: true, email_template_id: template });
  await addBuyer(
    site.cloud,
    { buyer_id: 'both', send_email: true, email_template_id: template, use_sellanylead_api: true },
    0,
  );
  ({ page } = await site.visitAsAdmin());
});

const NO_CHANNEL = 'No channel is on: leads appear only on the link.';

/** Like templates stored before their sender was checked. */
async function setSender(smtp_from: string): Promise<void> {
  const { table } = site.cloud;
  const stored = await templateStore.get({ table }, template);
  if (stored !== undefined) await table.transact([templateStore.changed(stored, { ...stored, smtp_from })]);
}

const tagOf = (page: Page, buyer: string) =>
  row(page, 'Buyers and orders', buyer).getByRole('button', { name: /^(No channel|E-mail fails): fix / });

describe('a buyer without delivery', () => {
  it('has a warning in the table that links to the fix', async () => {
    await setSender('');
    await page.goto('/dashboard?inactive=1');
    await sees(tagOf(page, 'silent@').getByText('No channel'));
    await sees(tagOf(page, 'both@').getByText('E-mail fails'));
    expect(await tagOf(page, 'both@').getAttribute('title')).toContain('; the other channels deliver.');
    expect(await accessibilityProblems(page)).toEqual([]);

    await tagOf(page, 'silent@').click();
    await sees(dialog(page, 'Edit Buyer').getByText('How do leads arrive?'));
    await closeDialogs(page);
    await tagOf(page, 'mailed@').click();
    const form = dialog(page, 'Edit Email Template');
    await form.getByLabel('From address').fill('leads@example.com');
    await form.getByRole('button', { name: 'Save Template' }).click();
    await seesMessage(page, 'Email template updated successfully');
    await tagOf(page, 'mailed@').waitFor({ state: 'detached' });
    expect(await tagOf(page, 'both@').count()).toBe(0);
    await sees(tagOf(page, 'silent@'));
  });

  it('has a warning on the page of its lead, instead of deliveries', async () => {
    await setSender('leads@example.com');
    const { lead_id: leadId } = await addLead(site.cloud, { buyer_id: 'silent' });
    await page.goto(`/dashboard/leads/${leadId}`);
    const undelivered = step(page, 'Not delivered');
    await sees(
      undelivered.getByText(
        'No channel was on when the lead was assigned. The buyer sees it only on its link.',
      ),
    );
    await sees(undelivered.getByText(NO_CHANNEL));
    await expectAccessible(page, { narrow: true });
    await undelivered.getByRole('button', { name: 'Edit buyer' }).click();
    await sees(dialog(page, 'Edit Buyer'));
  });
});
