/**
 * No answer to a call with a link contains data of another buyer: makes every such call of the contract and searches
 * the answer.
 */
import { expect } from 'vitest';
import * as XLSX from 'xlsx';
import { type EndpointId, type Route, routes } from '#shared/contract/routes';
import { aLeadRequest } from '#test/factories/people';
import { openOrder } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

/** Private data of a buyer, in every possible format. */
const OTHERS = [
  { id: 'northwind', price: '73,31', weight: 17.83, person: 'Xaverine', minimum: 61_117 },
  { id: 'contoso', price: '88,97', weight: 23.59, person: 'Yolandus', minimum: 10 },
] as const;

/** The calls with a link, each with its own IDs and those of others. */
type Calls = Partial<Record<EndpointId, readonly { readonly path: string; readonly body?: object }[]>>;

it('the answers to all calls with a link contain no data of other buyers', async ({ cloud }) => {
  const { admin } = cloud;
  cloud.clock.set(new Date('2027-05-12T07:00:00Z'));
  await admin.logIn();
  const mine = await openOrder(
    admin,
    { buyer_id: 'mine', probability: 30, price_per_lead: '45,50', min_investment: 20_000 },
    20,
  );
  const secrets: string[] = [];
  const foreign: { lead_id: string; order_id: number; buyer_id: string }[] = [];
  for (const { id, price, weight, person, minimum } of OTHERS) {
    const order = await openOrder(
      admin,
      { buyer_id: id, probability: weight, price_per_lead: price, min_investment: minimum },
      20,
    );
    for (let at = 0; at < 3; at += 1) {
      const email = `${person.toLowerCase()}.${at}@secret.example`;
      const { lead_id, display_id } = await admin.ok('createLead', {
        body: aLeadRequest({ buyer_id: id, vorname: person, nachname: `Von${person}`, email }),
      });
      const reason = `Geheim ${person} ${at}`;
      const claim = { lead_id, order_id: order.orderId, buyer_id: id };
      foreign.push(claim);
      secrets.push(lead_id, `"${display_id}"`, email, reason);
      if (at > 0) await admin.ok('fileClaim', { body: { ...claim, claim_reason: reason } });
    }
    const cents = String(Math.round(Number(price.replace(',', '.')) * 100));
    secrets.push(id, person, `${id}@`, order.token, price, price.replace(',', '.'), cents);
    secrets.push(String(weight), String(weight).replace('.', ','), String(Math.round(weight * 100)));
    secrets.push(String(minimum * 100), `"order_id":${order.orderId}`);
  }
  for (let lead = 0; lead < 8; lead += 1)
    await admin.ok('createLead', {
      body: aLeadRequest({ anlagebetrag: lead % 2 === 0 ? 70_000 : 15_000 }),
    });
  const own = await admin.ok('createLead', {
    body: aLeadRequest({ buyer_id: 'mine', nachname: 'Eigene' }),
  });
  const ownClaim = { lead_id: own.lead_id, order_id: mine.orderId, buyer_id: 'mine' };
  await cloud.settled();
  cloud.clock.set(new Date('2027-05-14T07:00:00Z'));

  const { token } = mine;
  const view = `/api/leads-view/${token}`;
  const leads = [own.lead_id, ...foreign.map(({ lead_id }) => lead_id)];
  const files = (path: string) => ['csv', 'xlsx'].map((format) => ({ path: `${path}/${format}` }));
  const calls: Calls = {
    viewLeads: [{ path: view }, { path: `${view}?newest=2` }],
    exportLeads: files(`${view}/export`),
    exportLeadsPart: ['original', 'reimbursement'].flatMap((part) =>
      files(`${view}/export`).map(({ path }) => ({ path: `${path}/${part}` })),
    ),
    viewLeadConsent: leads.map((lead) => ({ path: `${view}/leads/${lead}/consent` })),
    exportConsentProof: leads.flatMap((lead) =>
      ['html', 'json'].map((format) => ({ path: `${view}/leads/${lead}/consent/${format}` })),
    ),
    exportConsentProofs: [{ path: `${view}/consent-proofs/1` }],
    viewShare: [{ path: `${view}/share` }],
    viewStatement: [{ path: `${view}/statement` }],
    exportStatement: files(`${view}/statement`),
    saveFeedback: leads.map((lead) => ({
      path: `${view}/leads/${lead}/feedback`,
      body: { feedback: 'reached' },
    })),
    viewFeedback: leads.map((lead) => ({ path: `${view}/leads/${lead}/feedback` })),
    takeBackFeedback: leads.map((lead) => ({ path: `${view}/leads/${lead}/feedback/1` })),
    fileClaim: [ownClaim, ...foreign].map((claim) => ({
      path: `/api/lead-claims?token=${token}`,
      body: { ...claim, claim_reason: 'fake' },
    })),
    getLeadClaim: leads.map((lead) => ({ path: `/api/lead-claims/lead/${lead}?token=${token}` })),
    requestReorder: [{ path: `${view}/reorder`, body: {} }],
    viewNotificationPreferences: [{ path: `${view}/notification-preferences` }],
    changeNotificationPreferences: [
      { path: `${view}/notification-preferences`, body: { weekly_statement: true } },
    ],
    sendLinkCode: [{ path: `${view}/code`, body: {} }],
    confirmLinkCode: [{ path: `${view}/code/confirmation`, body: { code: '12345678' } }],
  };
  const byLink = Object.entries<Route>(routes).filter(
    ([, { access, path }]) =>
      (access === 'link' && path.includes('/leads-view/')) || access === 'admin-or-link',
  );
  expect(Object.keys(calls).toSorted()).toEqual(byLink.map(([id]) => id).toSorted());

  let found = '';
  for (const [id, { method }] of byLink)
    for (const { path, body } of calls[id as EndpointId] ?? []) {
      const answer = await fetch(`${cloud.url}${path}`, {
        method,
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const text = await textOf(answer);
      found += text;
      const leaks = secrets.filter((secret) => text.includes(secret) && !path.includes(secret));
      expect(
        leaks,
        `${method} ${path.replace(token, '…')} answers ${answer.status}: ${text.slice(0, 500)}`,
      ).toEqual([]);
    }
  // The answers arrived and contain the buyer's own data.
  for (const text of [
    'Eigene',
    '45.5',
    '45,50',
    'agreed_share',
    'below_minimum',
    'feedback',
    'order_nearly_full',
  ])
    expect(found).toContain(text);
});

/** The whole answer as text, including headers and spreadsheet cells. */
async function textOf(answer: Response): Promise<string> {
  const head = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!(answer.headers.get('content-type') ?? '').includes('spreadsheet'))
    return `${head}\n${bytes.toString()}`;
  const book = XLSX.read(bytes);
  return [head, ...book.SheetNames.map((name) => XLSX.utils.sheet_to_csv(book.Sheets[name]!))].join('\n');
}
