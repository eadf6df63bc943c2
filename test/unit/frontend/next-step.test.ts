import { describe, expect, it } from 'vitest';
import { type Check, nextStep } from '#frontend/admin/buyer-page/next-step';
import type { BuyerRow } from '#shared/contract/schemas/buyers';

const buyer = (changes: Partial<BuyerRow> = {}) =>
  ({ order_id: 1, deleted: false, reorder: null, email_state: null, ...changes }) as BuyerRow;
const check = (name: Check['check'], state: Check['state'], action: Check['action']): Check => ({
  check: name,
  state,
  action,
  text: '',
  what_if: null,
});

const PAUSED = check('paused', 'blocked', 'resume');
const FULL = check('limit', 'blocked', 'change_limit');
const FAILED = check('delivery', 'warn', 'deliveries');
const SILENT = check('intake', 'warn', 'sources');
const MINIMUM = check('minimum', 'warn', 'edit_buyer');
const ASKING = { reorder: { lead_limit: 20, requested_at: '2026-11-28T08:00:00Z' } };
const BOUNCED = { email_state: { state: 'bounced_hard' } } as Partial<BuyerRow>;

describe('the next step', () => {
  it.each<[name: string, Partial<BuyerRow>, Check[], kind: string | undefined, of: Check | undefined]>([
    ['what blocks leads, before failed deliveries', BOUNCED, [FAILED, PAUSED], 'fix', PAUSED],
    ['the requested order, if the current one is full', ASKING, [FULL, FAILED], 'reorder', undefined],
    ['another blocker, before a requested order', ASKING, [PAUSED], 'fix', PAUSED],
    ['failed deliveries, before a bounced address', BOUNCED, [SILENT, FAILED], 'failed', FAILED],
    ['a bounced address, before other notes', BOUNCED, [SILENT], 'address', undefined],
    ['a note', {}, [MINIMUM, SILENT], 'fix', SILENT],
    ['nothing, for a minimum investment', {}, [MINIMUM], undefined, undefined],
    ['nothing, if a check has no fix', {}, [check('persons', 'warn', null)], undefined, undefined],
  ])('is %s', (_, changes, checks, kind, of) => {
    const step = nextStep(buyer(changes), checks);
    expect(step?.kind).toBe(kind);
    expect(step?.check).toBe(of);
  });
});
