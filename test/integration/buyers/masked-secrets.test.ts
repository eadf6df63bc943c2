import { expect } from 'vitest';
import { CHANNELS } from '#shared/channels/channels';
import { settingsOf } from '#test/factories/buyers';
import { SECRETS } from '#test/factories/secrets';
import { addTemplate, openOrder } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

it('shows no stored secret of a buyer in any answer', async ({ cloud }) => {
  const templateId = await addTemplate(cloud);
  const settings = CHANNELS.map((channel) =>
    settingsOf(channel, { templateId, partners: 'box.example.org' }, SECRETS),
  );
  const { buyer_id } = await openOrder(
    cloud.admin,
    Object.assign({}, ...settings, {
      buyer_id: 'secretive',
      use_trackbox_api: true,
      use_heroleads_api: true,
    }),
  );
  const masked = {
    trackbox_password: '********',
    trackbox_api_key: '********',
    heroleads_api_key: '********',
  };
  const { admin } = cloud;
  const created = await admin.ok('getBuyer', { params: { buyerId: buyer_id } });
  expect(created.buyer).toMatchObject(masked);
  const { buyers } = await admin.ok('listBuyers');
  expect(buyers.find((one) => one.buyer_id === buyer_id)).toMatchObject(masked);
  const changed = await admin.ok('updateBuyer', {
    params: { buyerId: buyer_id },
    body: { ...masked, price_per_lead: 1 },
  });
  const answers = JSON.stringify([
    created,
    buyers,
    changed,
    await admin.ok('listActiveBuyers'),
    await admin.ok('getDashboardInitialData'),
    await admin.ok('listAudit', { query: {} }),
  ]);
  for (const secret of Object.values(SECRETS)) expect(answers).not.toContain(secret);
});
