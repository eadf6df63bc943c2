/** Default error texts, shown if the server sends no text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { CALLS } from '#frontend/admin/data/calls';
import { TROUBLE } from '#frontend/admin/texts';
import { de } from '#frontend/buyer/messages';

// Uses browser types, which these tests are compiled without.
const { call } = await vi.importActual<{ call: (id: string, input: object) => Promise<unknown> }>(
  '#frontend/admin/data/query',
);

const FAILED = Object.fromEntries(Object.entries(CALLS).map(([name, [failed]]) => [name, failed]));

afterEach(() => void vi.unstubAllGlobals());

const FRONTEND = join(import.meta.dirname, '..', '..', '..', 'frontend', 'src');

it('are all used', () => {
  const code = readdirSync(FRONTEND, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(FRONTEND, file), 'utf8'))
    .join('\n');
  for (const name of Object.keys(CALLS)) expect(code).toContain(`'${name}'`);
  for (const name of Object.keys(TROUBLE)) expect(code).toContain(`TROUBLE.${name}`);
  for (const name of Object.keys(de.failed)) expect(code).toMatch(new RegExp(`failed\\.${name}\\b`));
});

it('match the specification', () => {
  expect(FAILED).toMatchObject({
    getDashboardStats: 'Failed to load dashboard statistics',
    listBuyers: 'Failed to load buyers',
    listPendingLeads: 'Failed to load ineligible leads',
    updateBuyer: 'Failed to edit buyer',
    updateOrderLimit: 'Failed to update order limit',
    deleteBuyer: 'Failed to delete buyer',
    createBuyer: 'Failed to add buyer',
    createOrder: 'Failed to create order',
    updateOrderRenewal: 'Failed to update order',
    regenerateToken: 'Failed to regenerate token',
    deleteOrder: 'Failed to delete order',
    restoreLastDeletedOrder: 'Failed to restore order',
    updateOrderComments: 'Failed to update comments',
    discardPendingLead: 'Failed to discard lead',
    assignPendingLead: 'Failed to assign lead',
    deleteLead: 'Failed to delete lead',
    updateLead: 'Failed to update lead',
    listClaims: 'Failed to fetch claims',
    listOrders: 'Failed to fetch orders',
    listPendingClaims: 'Failed to fetch pending claims',
    approveClaim: 'Failed to approve claim',
    rejectClaim: 'Failed to reject claim',
    createLead: 'Failed to submit lead',
    getBuyerStats: 'Failed to fetch buyer statistics',
    getVerificationSettings: 'Failed to load API settings',
    saveVerificationSettings: 'Failed to save settings',
    listEmailTemplates: 'Failed to load email templates',
    createEmailTemplate: 'Failed to create email template',
    updateEmailTemplate: 'Failed to update email template',
    deleteEmailTemplate: 'Failed to delete email template',
    getPushoverTemplate: 'Failed to load Pushover template',
    savePushoverTemplate: 'Failed to save Pushover template',
    createPushoverCredential: 'Failed to add Pushover credentials',
    updatePushoverCredential: 'Failed to update Pushover credentials',
    deletePushoverCredential: 'Failed to delete Pushover credentials',
  });
});

it.each([
  [{ error: 'The error', message: 'The message' }, 'The error'],
  [{ message: 'The message' }, 'The message'],
  ['no text', FAILED.listBuyers],
])('%j is shown as %j', async (answer, text) => {
  vi.stubGlobal('fetch', async () => Response.json(answer, { status: 409 }));
  await expect(call('listBuyers', {})).rejects.toThrow(text);
});

it('a write repeated while it is in flight, as by a double click, is sent once', async () => {
  const fetched = vi.fn(async () => Response.json({}));
  vi.stubGlobal('fetch', fetched);
  const write = () => call('deleteBuyer', { params: { buyerId: 'acme' }, body: {} });
  await Promise.all([write(), write()]);
  expect(fetched).toHaveBeenCalledOnce();
});
