import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chipsOf, NO_CHIPS, passes, tapped } from '#frontend/buyer/chips';
import { formOf, type LeadForm, readLeadForm } from '#frontend/buyer/lead-form';
import { de } from '#frontend/buyer/messages';
import { timeAgo } from '#frontend/buyer/relative-time';
import {
  analyseInvestments,
  hasReplacements,
  type LeadsView,
  mailLink,
  newestFirst,
  searchFor,
  withoutBidiControls,
} from '#frontend/buyer/view';
import { visited } from '#frontend/buyer/visit';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { checkClaimable } from '#shared/rules/claim-windows';

const aLead = (change: Partial<ViewedLead> = {}): ViewedLead => ({
  lead_id: '01JDKV0000000000000000000A',
  display_id: '7-1',
  anrede: 'Herr',
  vorname: 'Jörg',
  nachname: 'Müller',
  email: 'joerg@example.de',
  telefon: '+49 170 / 123-45',
  anlagebetrag: 25_000,
  laufzeit: 12,
  delivery_timestamp: '05.05.2025, 11:00',
  delivery_timestamp_formatted: '05.05.2025, 11:00',
  delivered_at: '2025-05-05T09:00:00.000Z',
  lead_type: 'original',
  claim_status: null,
  claim_id: null,
  claim_reason: null,
  ...change,
});

const view = (buyer_type: 'prepay' | 'postpay', pending: number, delivered: number) =>
  ({
    order: { buyer_type },
    leads: { original: [], reimbursement: [] as readonly ViewedLead[] },
    summary: { pending_reimbursements: pending, delivered_reimbursements: delivered },
  }) as unknown as LeadsView;

const now = new Date('2025-05-05T12:00:00Z');
const before = (ms: number) => timeAgo(new Date(now.getTime() - ms), now, de.locale, de.lastLead.now);

it.each([
  [-5_000, 'gerade eben'],
  [59_999, 'gerade eben'],
  [60_000, 'vor 1 Minute'],
  [59 * 60_000, 'vor 59 Minuten'],
  [3_600_000, 'vor 1 Stunde'],
  [3 * 3_600_000 + 1, 'vor 3 Stunden'],
  [86_400_000, 'vor 1 Tag'],
  [29.5 * 86_400_000, 'vor 29 Tagen'],
  [61 * 86_400_000, 'vor 2 Monaten'],
  [800 * 86_400_000, 'vor 2 Jahren'],
])('the age of the last lead after %i ms is "%s"', (ms, text) => {
  expect(before(ms)).toBe(text);
});

it('the German texts have the right plural forms', () => {
  expect(de.lead.months(1)).toBe('1 Monat');
  expect(de.lead.months(12)).toBe('12 Monate');
  expect(de.claim.remaining(1)).toBe('noch 1 Werktag');
  expect(de.claim.remaining(7)).toBe('noch 7 Werktage');
  expect(de.arrived(1)).toBe('1 neuer Lead eingetroffen.');
  expect(de.arrived(1234)).toBe('1.234 neue Leads eingetroffen.');
  expect(de.empty.reimbursement(1)).toMatch(/^Ein Ersatzlead steht aus/);
  expect(de.empty.reimbursement(2)).toMatch(/^2 Ersatzleads stehen aus/);
});

describe('the lead list', () => {
  it('has the newest lead first, counted as numbers', () => {
    const leads = ['7-9', '7-11', '7-10', '7-100'].map((displayId) => aLead({ display_id: displayId }));
    expect(newestFirst(leads).map((lead) => lead.display_id)).toEqual(['7-100', '7-11', '7-10', '7-9']);
  });

  it.each(['müller', 'JÖRG müller', '17012345', '+49 170', '7-1', 'joerg@', '25.000', '05.05.2025'])(
    'finds a lead by %j',
    (query) => {
      expect(searchFor(query)(aLead())).toBe(true);
    },
  );

  it('has no results without a match', () => {
    expect(searchFor('müller anna')(aLead())).toBe(false);
  });

  it('shows replacements to prepay buyers only, once one is owed or delivered', () => {
    expect(hasReplacements(view('prepay', 0, 0))).toBe(false);
    expect(hasReplacements(view('prepay', 1, 0))).toBe(true);
    expect(hasReplacements(view('prepay', 0, 1))).toBe(true);
    expect(hasReplacements(view('postpay', 1, 1))).toBe(false);
  });
});

describe('links and texts of a lead', () => {
  it('cannot inject anything into an e-mail', () => {
    expect(mailLink('a@example.de')).toBe('mailto:a@example.de');
    expect(mailLink('a@example.de?bcc=b@example.de&subject=x')).toBe(
      'mailto:a@example.de%3Fbcc%3Db%40example.de%26subject%3Dx',
    );
  });

  it('contain no bidirectional control characters', () => {
    expect(withoutBidiControls('Anna\u202etxet')).toBe('Annatxet');
  });
});

describe('the investment analysis', () => {
  it('counts 25.000 € in the upper range', () => {
    const amounts = [10_000, 24_999.99, 25_000, 100_000];
    expect(
      analyseInvestments(
        amounts.map((anlagebetrag) => aLead({ anlagebetrag })),
        25_000,
      ),
    ).toEqual({
      under: { count: 2, share: 50, sum: 34_999.99, average: 17_500 },
      over: { count: 2, share: 50, sum: 125_000, average: 62_500 },
    });
  });

  it('of no leads is all zero', () => {
    expect(analyseInvestments([], 25_000).over).toEqual({ count: 0, share: 0, sum: 0, average: 0 });
  });
});

describe('the form of a lead', () => {
  it('accepts a comma as the decimal separator', () => {
    const form = { ...formOf(aLead()), anlagebetrag: '12.500,50', laufzeit: ' 24 ' };
    expect(readLeadForm(form, aLead())).toMatchObject({
      ok: true,
      body: { anlagebetrag: 12_500.5, laufzeit: 24 },
    });
  });

  it('sends only changed fields with their previous values', () => {
    const lead = aLead({ anlagebetrag: 1_234.5 });
    expect(readLeadForm(formOf(lead), lead)).toEqual({ ok: true, body: { expected: {} } });
    expect(readLeadForm({ ...formOf(lead), vorname: 'Jan', anlagebetrag: '1.300' }, lead)).toEqual({
      ok: true,
      body: {
        vorname: 'Jan',
        anlagebetrag: 1_300,
        expected: { vorname: lead.vorname, anlagebetrag: 1_234.5 },
      },
    });
  });

  it('lists every invalid field', () => {
    const form: LeadForm = {
      anrede: 'Frau',
      vorname: ' ',
      nachname: '',
      email: 'anna',
      telefon: '',
      anlagebetrag: 'viel',
      laufzeit: '1,5',
    };
    const read = readLeadForm(form, aLead());
    expect(read.ok ? {} : Object.keys(read.errors).sort()).toEqual([
      'anlagebetrag',
      'email',
      'laufzeit',
      'nachname',
      'telefon',
      'vorname',
    ]);
  });
});

describe('the chips of a lead', () => {
  const terms = { maxClaimDays: 7, minDaysForNe: 5 };

  it('agree with the claim rules at any time of day', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 40 * 24 * 60 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 0, max: 40 }),
        (minutes, day) => {
          // Around the end of daylight saving time.
          const start = Date.parse('2026-10-10T22:00:00Z');
          const now = new Date(start + day * 86_400_000);
          const of = chipsOf(terms, now, () => false);
          for (const minute of minutes) {
            const delivered_at = new Date(start + minute * 60_000).toISOString();
            const rule = checkClaimable(
              { leadType: 'original', claimStatus: null, deliveredAt: new Date(delivered_at) },
              terms,
              now,
            );
            const chips = of(aLead({ delivered_at }));
            expect(chips.has('claimable')).toBe(rule.ok);
            expect(chips.has('ending')).toBe(rule.ok && rule.window.remainingWorkingDays <= 2);
          }
        },
      ),
    );
  });

  it('include no claim state for leads that cannot be claimed, and can be combined', () => {
    const of = chipsOf(terms, new Date('2025-05-06T12:00:00Z'), ({ display_id: id }) => id === '7-9');
    expect([...of(aLead())]).toEqual(['claimable']);
    expect([...of(aLead({ erased: true }))]).toEqual([]);
    expect([...of(aLead({ lead_type: 'reimbursement', display_id: '7-9' }))]).toEqual(['new']);
    const pending = of(aLead({ claim_status: 'pending', display_id: '7-9' }));
    expect([...pending]).toEqual(['pending', 'new']);
    const both = tapped(tapped(tapped(NO_CHIPS, 'claimable'), 'pending'), 'new');
    expect(both).toEqual({ claim: 'pending', isNew: true });
    expect([pending, of(aLead())].map((chips) => passes(chips, both))).toEqual([true, false]);
    expect(tapped(tapped(both, 'new'), 'pending')).toEqual(NO_CHIPS);
  });
});

it('a visit ends half an hour after the page was last open, and later leads are then new', () => {
  const MINUTE = 60_000;
  const first = visited(undefined, '2025-05-05T09:00:00.000Z', 0);
  expect(first.before).toBe('2025-05-05T09:00:00.000Z');
  const later = visited(first, '2025-05-05T10:00:00.000Z', 29 * MINUTE);
  expect(later).toEqual({ ...first, seen: '2025-05-05T10:00:00.000Z', at: 29 * MINUTE });
  const next = visited(later, '2025-05-05T11:00:00.000Z', 59 * MINUTE);
  expect(next).toEqual({ before: later.seen, seen: '2025-05-05T11:00:00.000Z', at: 59 * MINUTE });
  // A deleted lead does not make older ones new.
  expect(visited(next, '', 60 * MINUTE).seen).toBe(next.seen);
});
