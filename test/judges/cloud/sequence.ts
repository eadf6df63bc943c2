/**
 * Sequential leads, claims and decisions, with the same result on every deployment: the sums of the weights are prime
 * numbers, so buyers are never equally far behind, and no lead's ID decides.
 */
import type { Table } from '#functions/data/table/table';
import { verifyDecisions } from '#functions/domain/distribution/decision-check';
import type { ApiClient } from '#local/api-client';
import { readStored } from '#test/attack/invariants';
import { people } from '#test/factories/people';
import { aTemplateRequest } from '#test/factories/templates';
import { tokenOf } from '#test/harness/cloud';
import type { MailServer } from '#test/harness/mail-server';
import type { Calls } from '#test/judges/cloud/calls';

export interface World {
  readonly admin: ApiClient;
  readonly visitor: ApiClient;
  readonly table: Table;
  readonly mails: MailServer;
  readonly calls: Calls;
}

/** Percent, minimum investment, limit. */
const BUYERS = {
  ahorn: [23.17, 0, 400],
  birke: [19.43, 0, 400],
  buche: [17.09, 50_000, 400],
  eiche: [11.87, 0, 12],
  linde: [7.51, 0, 400],
} as const satisfies Record<string, readonly [weight: number, minimum: number, limit: number]>;
const PRICE = 19.99;
const SOURCE = 'datei';

const CLAIM_EVERY = 6;
const DECIDE_EVERY = 9;
const APPROVE_EVERY = 2;
const EDIT_EVERY = 14;

export interface Prepared {
  /** Of every order, by buyer. */
  readonly links: ReadonlyMap<string, string>;
  readonly source: number;
}

export async function prepare({ admin, mails }: World): Promise<Prepared> {
  const template = async (name: string) => {
    const body = aTemplateRequest({
      name,
      smtp_host: '127.0.0.1',
      smtp_port: mails.port,
      smtp_subject: `${name} $$order_lead_id$$`,
    });
    return (await admin.ok('createEmailTemplate', { body })).template.id;
  };
  const [email_template_id, reimbursement_email_template_id] = [
    await template('Original'),
    await template('Ersatz'),
  ];
  const links = new Map<string, string>();
  for (const [buyer_id, [probability, min_investment, lead_limit]] of Object.entries(BUYERS)) {
    await admin.ok('createBuyer', {
      body: {
        buyer_id,
        buyer_email: `${buyer_id}@buyers.example`,
        probability,
        min_investment,
        price_per_lead: PRICE,
        buyer_type: 'prepay',
        send_email: true,
        email_template_id,
        reimbursement_email_template_id,
      },
    });
    const { excel_link } = await admin.ok('createOrder', { body: { buyer_id, lead_limit } });
    links.set(buyer_id, tokenOf(excel_link));
  }
  const { source } = await admin.ok('createSource', {
    body: { name: SOURCE, src: SOURCE, per_minute: 100_000, window_days: 0, consent: 'ignore' },
  });
  await admin.ok('updateSource', { params: { sourceId: source.source_id }, body: { state: 'live' } });
  return { links, source: source.source_id };
}

/** The lead of a step, and at some steps a claim, a decision or an edit. */
export async function step(world: World, { links }: Prepared, at: number): Promise<void> {
  const { admin, visitor, calls } = world;
  const lead = person(at);
  const { lead_id, buyer } = await calls.make(`lead ${at}`, true, () =>
    admin.ok('createLead', { body: lead }, { 'idempotency-key': `step-${at}` }),
  );
  const token = links.get(buyer ?? '');
  if (token === undefined) return;
  if (at % CLAIM_EVERY === CLAIM_EVERY - 1) await claim(world, token, lead_id);
  if (at % DECIDE_EVERY === DECIDE_EVERY - 1) {
    const { claims } = await calls.make('pending claims', true, () => admin.ok('listPendingClaims'));
    const oldest = claims.toSorted((one, other) => one.claim_id - other.claim_id)[0];
    if (oldest !== undefined)
      await calls.make('decision', false, () =>
        admin.ok(oldest.claim_id % APPROVE_EVERY === 0 ? 'rejectClaim' : 'approveClaim', {
          params: { claimId: String(oldest.claim_id) },
          body: { admin_notes: 'geprüft' },
        }),
      );
  }
  if (at % EDIT_EVERY === EDIT_EVERY - 1)
    await calls.make('edit', false, () =>
      admin.ok('updateLead', { params: { leadId: lead_id }, body: { laufzeit: 60 } }),
    );
  await calls.make('view', true, () => visitor.ok('viewLeads', { params: { token } }));
}

export const person = (at: number, seed = 7) => ({
  ...people(1, seed * 10_000 + at)[0]!,
  email: `person.${seed}.${at}@post.example.org`,
  telefon: `+49 151 2${String(1_000_000 + seed * 10_000 + at)}`,
});

/** Unless it is a replacement, which cannot be claimed. */
export async function claim({ visitor, calls }: World, token: string, lead_id: string): Promise<void> {
  const { order, leads } = await calls.make('view', true, () =>
    visitor.ok('viewLeads', { params: { token } }),
  );
  if (leads.reimbursement.some((lead) => lead.lead_id === lead_id)) return;
  await calls.make('claim', false, () =>
    visitor.ok('fileClaim', {
      query: { token },
      body: { lead_id, order_id: String(order.order_id), buyer_id: order.buyer_id, claim_reason: 'doppelt' },
    }),
  );
}

/** What must not depend on deployments; by name, as text. */
export async function figuresOf({ admin, table, mails }: World): Promise<ReadonlyMap<string, string>> {
  const figures = new Map<string, string>();
  const { leads } = await readStored(table);
  for (const { email, status, buyer, order_id, sequence, lead_type, claim_status, laufzeit } of leads)
    figures.set(
      `lead ${email}`,
      [status, buyer, order_id, sequence, lead_type, claim_status, laufzeit].join(' '),
    );
  const { agree, disagreements } = await verifyDecisions(table.scan());
  figures.set('decisions', JSON.stringify([agree, disagreements]));
  for (const row of (await admin.ok('getBuyerStats')).buyer_stats)
    figures.set(`statistics of ${row.buyer_id}`, JSON.stringify(row, Object.keys(row).toSorted()));
  for (const order of (await admin.ok('listOrders')).orders) {
    const { leads_received, reimbursement_pending, reimbursement_delivered, status, actual_cost } = order;
    figures.set(
      `order of ${order.buyer_id}`,
      [leads_received, reimbursement_pending, reimbursement_delivered, status, actual_cost].join(' '),
    );
  }
  const { body } = await admin.raw('GET', '/api/admin/accounting/export/csv');
  figures.set('accounting', body instanceof Uint8Array ? Buffer.from(body).toString() : JSON.stringify(body));
  for (const claim of (await admin.ok('listPendingClaims')).claims)
    figures.set(`claim ${claim.claim_id}`, `${claim.claim_status} ${claim.display_id} ${claim.buyer_id}`);
  for (const { to, mail } of mails.mails) {
    const letter = `e-mail ${to.join()} ${(await mail()).subject}`;
    figures.set(letter, String(1 + Number(figures.get(letter) ?? 0)));
  }
  return figures;
}
