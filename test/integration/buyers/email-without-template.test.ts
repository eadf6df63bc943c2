import { expect } from 'vitest';
import * as templateStore from '#functions/data/administration/template-store';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import { createBuyer, updateBuyer } from '#functions/domain/buyers/buyers';
import { aTemplate } from '#test/factories/templates';
import { adminOn } from '#test/harness/distribution';
import { it } from '#test/harness/fixtures';

it('e-mail delivery cannot be switched on, and not be kept, without a template', async ({ table }) => {
  const admin = adminOn(table);
  const template = aTemplate();
  await table.transact([templateStore.created(template)]);
  const buyer = { buyer_id: 'acme', buyer_email: 'sales@acme.example', probability: 10 };
  const refused = { kind: 'invalid', fields: { email_template_id: 'Required for e-mail delivery' } };
  await expect(createBuyer(admin, 'test', { ...buyer, send_email: true })).rejects.toMatchObject(refused);
  await createBuyer(admin, 'test', buyer);
  const update = (change: Parameters<typeof updateBuyer>[3]) => updateBuyer(admin, 'test', 'acme', change);
  await expect(update({ send_email: true })).rejects.toMatchObject(refused);
  await update({ send_email: true, email_template_id: template.id });
  await expect(update({ email_template_id: '' })).rejects.toMatchObject(refused);
  await update({ send_email: false, email_template_id: '' });
});

it('a buyer without one from earlier can still be changed otherwise', async ({ table }) => {
  const admin = adminOn(table);
  const before = await createBuyer(admin, 'test', {
    buyer_id: 'acme',
    buyer_email: 'sales@acme.example',
    probability: 10,
  });
  await table.transact([buyerStore.changed(before, { send_email: true })]);
  await expect(updateBuyer(admin, 'test', 'acme', { probability: 20 })).resolves.toMatchObject({
    probability: 2000,
    send_email: true,
  });
});
