import { describe, it } from 'vitest';
import { expectUsable, furnish } from '#test/e2e/accessibility-setup';
import { setUpSite } from '#test/e2e/fixture';

let lead: string;
let invitation = '';
const site = setUpSite(async () => {
  lead = await furnish(site);
  const { link } = await site.cloud.admin.ok('inviteAdmin', { body: { username: 'newcomer' } });
  invitation = link.split('#')[1] ?? '';
});

describe('screens are accessible', () => {
  it('without a session', async () => {
    const visit = await site.visit('/');
    await expectUsable(visit, [
      { name: 'login', path: '/', ready: 'Log in to manage buyers, orders and leads.' },
      { name: 'invitation', path: `/invitation#${invitation}`, ready: 'Welcome, newcomer' },
      { name: 'truncated invitation', path: '/invitation', ready: 'The address is incomplete' },
    ]);
  });

  it('to admins', { timeout: 300_000 }, async () => {
    const visit = await site.visitAsAdmin();
    await expectUsable(visit, [
      { name: 'dashboard', path: '/dashboard?inactive=1', ready: 'alpha@example.com' },
      { name: 'leads', path: '/dashboard/leads?status=assigned&claim=none', ready: 'leads, as of' },
      { name: 'no leads', path: '/dashboard/leads?status=discarded', ready: 'No lead matches' },
      { name: 'pending leads', path: '/dashboard/ineligible-leads', ready: 'meant for careful' },
      { name: 'claims', path: '/dashboard/claimed-leads?filters=1', ready: '2 claims' },
      { name: 'claims inbox', path: '/dashboard/claimed-leads?view=inbox', ready: 'Inbox (1)' },
      { name: 'create lead', path: '/dashboard/create-lead', ready: 'Submit Lead' },
      { name: 'statistics', path: '/dashboard/stats', ready: 'Buyer Comparison' },
      { name: 'statistics of a buyer', path: '/dashboard/stats?buyer=alpha', ready: 'Since the first order' },
      { name: 'missed leads', path: '/dashboard/stats/deliveries', ready: 'Delivered, SellAnyLead' },
      { name: 'accounting', path: '/dashboard/stats/accounting', ready: 'Last month' },
      { name: 'settings', path: '/dashboard/settings', ready: 'Enabled' },
      { name: 'templates', path: '/dashboard/settings/templates', ready: 'Standard' },
      { name: 'push notifications', path: '/dashboard/settings/push', ready: '****' },
      { name: 'alerts', path: '/dashboard/settings/alerts', ready: 'Order nearly full' },
      { name: 'webhooks', path: '/dashboard/settings/webhooks', ready: 'No webhooks yet' },
      { name: 'retention', path: '/dashboard/settings/retention', ready: 'Kept until deleted' },
      { name: 'company', path: '/dashboard/settings/company', ready: 'Not set' },
      { name: 'status page', path: '/dashboard/settings/status-page', ready: 'is public' },
      { name: 'deliveries', path: '/dashboard/deliveries?buyer=alpha', ready: 'SellAnyLead' },
      { name: 'audit trail', path: '/dashboard/audit', ready: 'created' },
      { name: 'simulator', path: '/dashboard/simulate', ready: 'Simulate' },
      { name: 'people', path: '/dashboard/people', ready: 'No erasures yet' },
      { name: 'sources', path: '/dashboard/sources', ready: 'Landing page' },
      { name: 'admins', path: '/dashboard/admins', ready: 'Unused links' },
      { name: 'buyer', path: '/dashboard/buyers/alpha', ready: 'Passed checks' },
      { name: 'orders of a buyer', path: '/dashboard/buyers/alpha/orders', ready: 'credited to the order' },
      { name: 'delivery of a buyer', path: '/dashboard/buyers/alpha/delivery', ready: 'Failed deliveries' },
      { name: 'terms of a buyer', path: '/dashboard/buyers/alpha/terms', ready: 'Claims of this buyer' },
      { name: 'statement of a buyer', path: '/dashboard/buyers/alpha/statement', ready: 'Delivered' },
      { name: 'history of a buyer', path: '/dashboard/buyers/alpha/history', ready: 'created' },
      { name: 'no buyer', path: '/dashboard/buyers/nobody', ready: 'This buyer does not exist' },
      { name: 'history of a lead', path: `/dashboard/leads/${lead}`, ready: 'Not opened' },
    ]);
  });
});
