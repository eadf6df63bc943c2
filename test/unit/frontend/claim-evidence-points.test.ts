import { describe, expect, it } from 'vitest';
import { pointsOf } from '#frontend/admin/claims/evidence-points';
import type { EvidenceRow } from '#shared/contract/schemas/claims';

const AT = '2026-03-02T10:00:00.000Z';
const evidence = (known: Partial<EvidenceRow> = {}): EvidenceRow => ({
  at: AT,
  assigned_at: AT,
  delivered_at: AT,
  opened_at: null,
  deliveries: [{ channel: 'email', status: 'delivered', attempts: [] }],
  checks: [],
  duplicates: [],
  claimed_later: [],
  source_claims: null,
  feedback: null,
  address: null,
  ...known,
});
const earlier = (claim_status: 'approved' | 'rejected' | null) => ({
  lead_id: 'L1',
  display_id: '3-4',
  delivered_at: AT,
  same: ['phone' as const],
  claim_status,
});
const check = (result: 'valid' | 'invalid' | 'unknown' | 'dead', by: 'offline' | 'Twilio') => ({
  kind: 'phone' as const,
  by,
  result,
  at: AT,
});
const said = (known: Partial<EvidenceRow>, reason: string) =>
  pointsOf(evidence(known), reason)
    .filter(({ text }) => !text.startsWith('Delivered'))
    .map(({ speaks, text }) => [speaks, text]);

describe('the evidence of a claim', () => {
  it.each([
    ['for', earlier(null)],
    ['for', earlier('rejected')],
    ['known', earlier('approved')],
  ] as const)('of a duplicate speaks %s it by an earlier lead', (speaks, lead) => {
    expect(pointsOf(evidence({ duplicates: [lead] }), 'doppelt')[0]).toMatchObject({
      speaks,
      lead: { lead_id: 'L1', display_id: '3-4' },
    });
  });

  it('of a duplicate speaks against it if there is no earlier lead', () => {
    expect(said({}, 'doppelt')).toEqual([['against', 'The buyer has no earlier lead of the same person']]);
    expect(said({}, 'falsche_nummer')).toEqual([]);
  });

  it.each([
    ['for', 'falsche_nummer', check('dead', 'Twilio')],
    ['for', 'falsche_nummer', check('invalid', 'offline')],
    ['against', 'falsche_nummer', check('valid', 'Twilio')],
    ['known', 'falsche_nummer', check('unknown', 'Twilio')],
    ['known', 'falsche_nummer', check('valid', 'offline')],
    ['known', 'falsche_email', check('dead', 'Twilio')],
  ] as const)('speaks %s %s by the check %j', (speaks, reason, one) => {
    expect(said({ checks: [one] }, reason).map(([side]) => side)).toEqual([speaks]);
  });

  it('speaks for or against it by feedback, a bounce, a later claim and the source', () => {
    const source = (approved: number, rejected: number) => ({ days: 30, filed: 3, approved, rejected });
    const sides = (known: Partial<EvidenceRow>, reason = 'falsche_email') =>
      said(known, reason).map(([side]) => side);
    expect(sides({ feedback: { said: 'reached', at: AT } })).toEqual(['against']);
    expect(sides({ feedback: { said: 'not_reached', at: AT } })).toEqual(['for']);
    expect(sides({ address: { state: 'bounced_hard', at: AT, code: null } })).toEqual(['for']);
    expect(sides({ address: { state: 'complained', at: AT, code: null } })).toEqual(['known']);
    const later = {
      lead_id: 'L2',
      display_id: '3-9',
      same: ['email' as const],
      claim_status: 'pending' as const,
    };
    expect(sides({ claimed_later: [later] })).toEqual(['against']);
    expect(sides({ source_claims: source(2, 0) })).toEqual(['for']);
    expect(sides({ source_claims: source(0, 2) })).toEqual(['against']);
    expect(sides({ source_claims: source(1, 1) })).toEqual(['known']);
    expect(sides({ source_claims: { ...source(0, 0), filed: 0 } })).toEqual([]);
  });

  it('speaks against it if the lead has not reached the buyer, and says what failed', () => {
    const deliveries = [{ channel: 'email' as const, status: 'failed' as const, attempts: [] }];
    expect(said({ delivered_at: null, deliveries }, 'ne')).toEqual([
      ['against', 'The lead has not reached the buyer, by a channel or its list'],
      ['known', 'E-mail: failed after 0 attempts'],
    ]);
    expect(said({ delivered_at: null, deliveries: [], opened_at: AT }, 'ne')).toEqual([
      ['known', 'List first opened 02.03.2026, 11:00'],
    ]);
  });
});
