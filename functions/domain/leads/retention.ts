/**
 * Erases leads after their retention period. The reconciliation does it in steps: a daily pass through the pending, the rejected and
 * the delivered leads, oldest first. The preview reads the same way without erasing.
 */

import { isDeepStrictEqual } from 'node:util';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Context, DataContext } from '#functions/data/context';
import type {
  RetainedLead,
  RetainedLeads,
  Retention,
  RetentionProgress,
} from '#functions/data/leads/retention-store';
import * as retentionStore from '#functions/data/leads/retention-store';
import * as orderStore from '#functions/data/orders/order-store';
import { aboutSetting, auditEntry } from '#functions/domain/common/audit';
import { requireUnchanged } from '#functions/domain/common/edited-meanwhile';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { errorFields } from '#functions/platform/logger';
import { RETENTION_KINDS, type RetentionKind } from '#shared/rules/constants';

const DAY_MS = 24 * 3_600_000;
const LIMITS = { leads: 25, pages: 40 };
const MAX_PREVIEWED = 20_000;
const MAX_PREVIEW_PAGES = 400;

type Some = { readonly [Name in keyof Retention]?: Retention[Name] | undefined };

/** Changes the given periods. @throws DomainError 409 if one has changed since it was read */
export async function saveRetention(
  context: Context,
  who: string,
  change: Some,
  expected: Some | undefined,
): Promise<Retention> {
  return retryOnConflict(context.runtime, async () => {
    const before = await retentionStore.settings(context);
    requireUnchanged(expected, before);
    const { delivered = before.delivered, pending = before.pending, rejected = before.rejected } = change;
    const { consent_years = before.consent_years } = change;
    const after = { delivered, pending, rejected, consent_years };
    if (isDeepStrictEqual(before, after)) return before;
    return committed(context, after, [
      retentionStore.settingsChanged(before, after),
      auditEntry(context, { who, action: 'updated', ...aboutSetting('retention'), before, after }),
    ]);
  });
}

type Steps = AsyncGenerator<{
  readonly due: readonly RetainedLead[];
  readonly heldBack: number;
  readonly next: string | undefined;
}>;

/** The leads of a kind that are older than these days, from a position on. */
interface Overdue {
  readonly kind: RetentionKind;
  readonly days: number;
  readonly from: string;
}

async function* steps(context: Context, { kind, days, from }: Overdue): Steps {
  const before = new Date(context.runtime.now().getTime() - days * DAY_MS).toISOString();
  const isHeldBack = kind === 'delivered' ? await holdingBack(context) : async () => false;
  for await (const { leads, next } of pages(context, kind, before, from)) {
    const due: RetainedLead[] = [];
    for (const lead of leads) if (!(await isHeldBack(lead))) due.push(lead);
    yield { due, heldBack: leads.length - due.length, next };
  }
}

async function* pages(
  context: DataContext,
  kind: RetentionKind,
  before: string,
  from: string,
): AsyncGenerator<RetainedLeads> {
  if (kind !== 'delivered') {
    const listed = kind === 'pending' ? retentionStore.pending : retentionStore.rejected;
    let after: string | undefined = from;
    while (after !== undefined) {
      const page: RetainedLeads = await listed(context, after, before);
      yield page;
      after = page.next;
    }
    return;
  }
  const last = await retentionStore.lastOrder(context);
  const [order = '1', sequence = ''] = from === '' ? [] : from.split('#');
  let after = sequence;
  for (let number = Number(order); number <= last; number += 1) {
    let within: string | undefined = after;
    after = '';
    while (within !== undefined) {
      const page: RetainedLeads = await retentionStore.delivered(context, number, within, before);
      const next = page.next === undefined ? `${number + 1}#` : `${number}#${page.next}`;
      const leads = page.leads.map((lead) => ({ ...lead, position: `${number}#${lead.position}` }));
      yield { leads, next: page.next === undefined && number === last ? undefined : next };
      within = page.next;
    }
  }
}

/** Keeps delivered leads with an open claim, with a replacement that is still owed, or with an incomplete delivery. */
async function holdingBack(context: Context): Promise<(lead: RetainedLead) => Promise<boolean>> {
  const undelivered = await retentionStore.undelivered(context);
  const owing = new Map<number, Promise<boolean>>();
  const isOwed = async (orderId: number) => {
    const order = await orderStore.get(context, orderId);
    if (order === undefined) return false;
    const buyer = (await buyerStore.getMany(context, [order.buyer])).get(order.buyer);
    return order.reimbursement_pending > 0 || (buyer?.balance_count ?? 0) > 0;
  };
  return async ({ lead_id, order_id, claim_status }) => {
    if (claim_status === 'pending' || undelivered.has(lead_id)) return true;
    if (claim_status !== 'approved' || order_id === undefined) return false;
    const known = owing.get(order_id) ?? isOwed(order_id);
    owing.set(order_id, known);
    return known;
  };
}

export async function previewRetention(context: Context, days: Pick<Retention, RetentionKind>) {
  const previews = RETENTION_KINDS.map(async (kind) => {
    const kept = days[kind];
    if (kept === null) return [];
    let [leads, held_back, examined] = [0, 0, 0];
    let oldest: string | null = null;
    let newest: string | null = null;
    let more = false;
    for await (const step of steps(context, { kind, days: kept, from: '' })) {
      leads += step.due.length;
      held_back += step.heldBack;
      examined += 1;
      for (const { since } of step.due) {
        if (oldest === null || since < oldest) oldest = since;
        if (newest === null || since > newest) newest = since;
      }
      more = step.next !== undefined && (leads >= MAX_PREVIEWED || examined >= MAX_PREVIEW_PAGES);
      if (more) break;
    }
    return [{ kind, leads, held_back, oldest, newest, more }];
  });
  return (await Promise.all(previews)).flat();
}

export interface EraseOldContext extends Context {
  readonly erase: (leadId: string) => Promise<unknown>;
  readonly forgetSidecar: (leadIds: readonly string[]) => Promise<boolean>;
}

/** With more leads to remove outside the table, no others are erased. */
const MAX_IN_SIDECAR = 1000;

/** Repeatable, also in parallel. @param limits passed only by tests @returns how many leads were erased */
export async function eraseOldLeads(context: EraseOldContext, limits = LIMITS): Promise<number> {
  const { table, runtime } = context;
  const [days, stored] = await Promise.all([
    retentionStore.settings({ table }),
    retentionStore.progress({ table }),
  ]);
  const today = runtime.now().toISOString().slice(0, 'YYYY-MM-DD'.length);
  const { in_sidecar = [] } = stored ?? {};
  let pass: RetentionProgress =
    stored?.day === today
      ? stored
      : { day: today, kind: RETENTION_KINDS[0], after: '', erased: 0, in_sidecar: [] };
  const isOver = pass.kind === undefined || RETENTION_KINDS.every((kind) => days[kind] === null);
  if (isOver && in_sidecar.length === 0) return 0;
  const erased: string[] = [];
  let pages = 0;
  const mostLeads = isOver || in_sidecar.length >= MAX_IN_SIDECAR ? 0 : limits.leads;
  while (pass.kind !== undefined && erased.length < mostLeads && pages < limits.pages) {
    const { kind, after }: RetentionProgress = pass;
    const left = { leads: mostLeads - erased.length, pages: limits.pages - pages };
    // Stored before the erasure: after a crash the next run finds the leads outside the table only by these IDs.
    const announce = (ids: readonly string[]) =>
      retentionStore.moved({ table }, { ...pass, in_sidecar: [...in_sidecar, ...erased, ...ids] });
    const kept = days[kind];
    const walked =
      kept === null
        ? { erased: [], pages: 0, after: undefined }
        : await walk(context, { kind, days: kept, from: after }, left, announce);
    erased.push(...walked.erased);
    pages += walked.pages;
    pass =
      walked.after === undefined
        ? { ...pass, kind: RETENTION_KINDS[RETENTION_KINDS.indexOf(kind) + 1], after: '' }
        : { ...pass, after: walked.after };
  }
  const left = [...in_sidecar, ...erased];
  const isGone = left.length === 0 || (await context.forgetSidecar(left));
  pass = { ...pass, erased: pass.erased + erased.length, in_sidecar: isGone ? [] : left };
  await retentionStore.moved({ table }, pass);
  return erased.length;
}

interface Walked {
  readonly erased: readonly string[];
  readonly pages: number;
  readonly after: string | undefined;
}

async function walk(
  context: EraseOldContext,
  overdue: Overdue,
  left: typeof LIMITS,
  announce: (leadIds: readonly string[]) => Promise<void>,
): Promise<Walked> {
  const erased: string[] = [];
  let pages = 0;
  for await (const { due, next } of steps(context, overdue)) {
    pages += 1;
    const soon = due.slice(0, left.leads - erased.length).map(({ lead_id }) => lead_id);
    if (soon.length > 0) await announce([...erased, ...soon]);
    for (const { lead_id, position } of due) {
      try {
        await context.erase(lead_id);
        erased.push(lead_id);
      } catch (error) {
        context.runtime.log.error('old lead could not be erased', { lead: lead_id, ...errorFields(error) });
      }
      if (erased.length >= left.leads) return { erased, pages, after: position };
    }
    if (pages >= left.pages || next === undefined) return { erased, pages, after: next };
  }
  return { erased, pages, after: undefined };
}
