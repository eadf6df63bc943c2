/**
 * After a storm: everything is old at once, and its persons are erased, with a kill in between. What must stay stays, no figure
 * changes, and the audit trail is as it was written.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import * as auditStore from '#functions/data/administration/audit-store';
import { Table } from '#functions/data/table/table';
import { verifyAudit } from '#functions/domain/administration/audit-check';
import { checkpointsIn } from '#functions/domain/administration/audit-checkpoints';
import type { ApiClient } from '#local/api-client';
import { AUDIT_CHECKPOINTS_FILE, TABLE_NAME } from '#local/running';
import { readStored, type Stored } from '#test/attack/invariants';
import { advance } from '#test/attack/settle';
import { ADMIN } from '#test/harness/cloud';
import type { ProductProcess } from '#test/harness/product-process';

const DAYS = { pending: 1, rejected: 1, delivered: 1 };
const LATER_MINUTES = 3 * 24 * 60;
/** Runs of the reconciliation; a storm of an hour has some 5,000 leads, of which each takes 25. */
const MAX_RUNS = 1000;

/** @returns what is broken, as sentences */
export async function retentionFindings(
  product: ProductProcess,
  admin: ApiClient,
  dataDir: string,
): Promise<string[]> {
  const before = await figuresOf(admin);
  await admin.ok('saveRetention', { body: DAYS });
  await advance(product, LATER_MINUTES);
  product.signal('SIGKILL');
  await product.ended();
  // The clock starts again at the time of day, so that nothing is old any more until it goes forward.
  await product.start();
  await admin.logIn(ADMIN);
  for (let run = 0; run < MAX_RUNS; run += 1) {
    await advance(product, run === 0 ? LATER_MINUTES : 1);
    if (run === 0) await admin.logIn(ADMIN);
    const { pass } = await admin.ok('getRetention');
    if (pass?.over === true) break;
  }
  const table = new Table({ name: TABLE_NAME, endpoint: product.endpoint });
  const stored = await readStored(table);
  const after = await figuresOf(admin);
  // What was written last is old enough to be sealed.
  await advance(product, 5);
  return [
    ...leadsHeld(stored),
    ...(after === before ? [] : [`retention changed the figures from ${before} to ${after}`]),
    ...(await trailFindings(table, dataDir)),
  ];
}

/** Orders and revenue, month by month and buyer by buyer. */
async function figuresOf(admin: ApiClient): Promise<string> {
  const { body } = await admin.raw('GET', '/api/admin/accounting/export/csv');
  const { orders } = await admin.ok('listOrders');
  const counts = orders.map(({ order_id, leads_received, reimbursement_delivered }) => [
    order_id,
    leads_received,
    reimbursement_delivered,
  ]);
  return JSON.stringify([body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : body, counts]);
}

/** Leads that have a person and should have none, or the other way round. */
function leadsHeld({ leads, orders, buyers, deliveries }: Stored): string[] {
  const undelivered = new Set(
    deliveries.filter(({ status }) => status !== 'delivered').map(({ lead_id }) => lead_id),
  );
  const owing = new Set(
    orders.flatMap(({ order_id, buyer, reimbursement_pending }) =>
      reimbursement_pending > 0 || (buyers.find((one) => one.buyer === buyer)?.balance_count ?? 0) > 0
        ? [order_id]
        : [],
    ),
  );
  return leads.flatMap(({ lead_id, status, nachname, claim_status, order_id }) => {
    const isHeld =
      status === 'assigned' &&
      (undelivered.has(lead_id) ||
        claim_status === 'pending' ||
        (claim_status === 'approved' && owing.has(order_id ?? 0)));
    if (isHeld && nachname === '') return [`lead ${lead_id} was to be kept, and its person is erased`];
    return !isHeld && nachname !== '' ? [`lead ${lead_id} (${status}) is old, and its person is kept`] : [];
  });
}

/** What `npm run verify audit` finds, with the checkpoints that the product kept. */
export async function trailFindings(table: Table, dataDir: string): Promise<string[]> {
  const file = join(dataDir, AUDIT_CHECKPOINTS_FILE);
  const checkpoints = existsSync(file) ? checkpointsIn(readFileSync(file, 'utf8')) : [];
  const { findings } = await verifyAudit(
    auditChainStore.links({ table }),
    table.scan(),
    auditStore.listed({ table }),
    checkpoints,
  );
  return findings.map((finding) => `audit trail: ${finding}`);
}
