import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkClaim,
  checkClaimable,
  claimWindow,
  parseClaimReason,
  reasonLabel,
  reasonText,
} from '#shared/rules/claim-windows';
import { CLAIM_REASONS } from '#shared/rules/constants';
import { addDays, berlinDay, workingDaysBetween } from '#shared/rules/working-days';

const terms = { maxClaimDays: 7, minDaysForNe: 5 };
const at = (text: string) => new Date(text);
const noon = (day: string) => at(`${day}T12:00:00Z`);

const windowAt = (delivered: string, now: string) =>
  claimWindow({ deliveredAt: at(delivered), now: at(now), ...terms });

describe('the claim window', () => {
  it.each([
    ['from a Monday', '2025-05-05T09:00:00Z', '2025-05-14', '2025-05-14T22:00:00Z'],
    ['from just before midnight in Berlin', '2025-05-05T21:59:59Z', '2025-05-14', '2025-05-14T22:00:00Z'],
    ['from midnight, a day longer', '2025-05-05T22:00:00Z', '2025-05-15', '2025-05-15T22:00:00Z'],
    [
      'over the weekend after its last working day',
      '2025-01-08T12:00:00Z',
      '2025-01-19',
      '2025-01-19T23:00:00Z',
    ],
    [
      'over Good Friday, Easter Monday and 1 May',
      '2025-04-17T08:00:00Z',
      '2025-05-01',
      '2025-05-01T22:00:00Z',
    ],
    ['over a daylight saving change', '2026-03-27T12:00:00Z', '2026-04-09', '2026-04-09T22:00:00Z'],
  ])('is open %s', (_, delivered, lastDay, over) => {
    const last = new Date(Date.parse(over) - 1).toISOString();
    expect(windowAt(delivered, last)).toMatchObject({ open: true, lastDay, remainingWorkingDays: 0 });
    expect(windowAt(delivered, over)).toMatchObject({ open: false, lastDay, neOpen: false });
    expect(windowAt(delivered, over).remainingWorkingDays).toBe(0);
    expect(windowAt(delivered, delivered).remainingWorkingDays).toBe(7);
  });

  it('is open until its last day, for NE from its first day', () => {
    fc.assert(
      fc.property(
        fc.date({ min: noon('2000-01-01'), max: noon('2090-01-01'), noInvalidDate: true }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 30 }),
        (deliveredAt, maxClaimDays, days) => {
          const minDaysForNe = Math.min(days, maxClaimDays);
          const look = (now: Date) => claimWindow({ deliveredAt, now, maxClaimDays, minDaysForNe });
          const { lastDay, neFrom } = look(deliveredAt);
          expect(look(noon(lastDay)).open).toBe(true);
          expect(look(noon(addDays(lastDay, 1))).open).toBe(false);
          expect(workingDaysBetween(berlinDay(deliveredAt), addDays(lastDay, 1))).toBe(maxClaimDays + 1);
          expect(look(noon(neFrom)).neOpen).toBe(true);
          expect(look(noon(addDays(neFrom, -1))).neOpen).toBe(false);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the reason', () => {
  it('has a German label for every code', () => {
    expect(CLAIM_REASONS.map((code) => reasonLabel(code))).toEqual([
      'Falsche Telefonnummer',
      'Falsche E-Mail-Adresse',
      'Doppelter Lead',
      'Keine Anfrage gestellt / Fake',
      'Falsche Personendaten',
      'Wohnsitz im Ausland / nicht Zielgruppe',
      'Nicht erreichbar (nach 5 Tagen)',
      'Sonstiges',
    ]);
  });

  it('contains the days of the order for NE', () => {
    expect(reasonLabel('ne', 10)).toBe('Nicht erreichbar (nach 10 Tagen)');
    expect(reasonLabel('ne', 1)).toBe('Nicht erreichbar (nach 1 Tag)');
  });

  it('is shown as its label or the buyer’s text', () => {
    expect(reasonText('fake')).toBe('Keine Anfrage gestellt / Fake');
    expect(reasonText('ne', 3)).toBe('Nicht erreichbar (nach 3 Tagen)');
    expect(reasonText('Der Kunde ist umgezogen')).toBe('Der Kunde ist umgezogen');
  });

  it.each(CLAIM_REASONS.filter((code) => code !== 'other'))('%s is parsed as its code', (code) => {
    expect(parseClaimReason(code)).toEqual({ ok: true, reason: { code } });
    expect(parseClaimReason(`  ${code}\n`)).toEqual({ ok: true, reason: { code } });
  });

  it('without a code is the text of "other"', () => {
    expect(parseClaimReason(' Wünscht keinen Anruf, 3 < 5 ')).toEqual({
      ok: true,
      reason: { code: 'other', text: 'Wünscht keinen Anruf, 3 < 5' },
    });
    expect(parseClaimReason('Zeile 1\r\nZeile 2\u0000')).toEqual({
      ok: true,
      reason: { code: 'other', text: 'Zeile 1\nZeile 2' },
    });
    const kept = (input: string) => {
      const parsed = parseClaimReason(input);
      return parsed.ok && parsed.reason.code === 'other' ? parsed.reason.text : undefined;
    };
    expect(kept('a\rb\n\nc\u2028d\u2029e')).toBe('a\nb\n\nc\nd\ne');
    expect(kept('Spalte\t1\u0007\u009f, \u200bSpalte 2')).toBe('Spalte\t1, \u200bSpalte 2');
    expect(kept(' \u200b\t\ufeff Umzug \u200e\n ')).toBe('Umzug');
    expect(kept('fakes')).toBe('fakes');
    expect(kept('2 <3 und <4')).toBe('2 <3 und <4');
  });

  it.each([
    ['', 'reason_required'],
    [' \u200b\n ', 'reason_required'],
    ['other', 'reason_text_required'],
    ['ab', 'reason_text_required'],
    ['Wünscht <b>keinen</b> Anruf', 'html_not_allowed'],
    ['<script src=//example.com>', 'html_not_allowed'],
    ['<B>fett', 'html_not_allowed'],
    ['Ende </p', 'html_not_allowed'],
    ['<!-- Notiz', 'html_not_allowed'],
    ['<?php', 'html_not_allowed'],
    [' ab ', 'reason_text_required'],
    ['x'.repeat(1001), 'reason_too_long'],
    ['x'.repeat(100_000), 'reason_too_long'],
  ])('%.20j is rejected with %s', (input, code) => {
    expect(parseClaimReason(input)).toMatchObject({ ok: false, code });
  });

  it.each([
    ['', 'Bitte wählen Sie einen Grund...'],
    ['other', 'Bitte beschreiben Sie den Grund mit mindestens 3 Zeichen.'],
    ['x'.repeat(1001), 'Bitte beschreiben Sie den Grund mit höchstens 1000 Zeichen.'],
    ['<b>', 'Bitte beschreiben Sie den Grund ohne HTML.'],
  ])('%.10j is rejected with the message %j', (input, message) => {
    expect(parseClaimReason(input)).toMatchObject({ ok: false, message });
  });

  it('may have 3 to 1000 characters', () => {
    expect(parseClaimReason('abc').ok).toBe(true);
    expect(parseClaimReason('x'.repeat(1000)).ok).toBe(true);
  });
});

const lead = { leadType: 'original', claimStatus: null, deliveredAt: noon('2025-05-05') } as const;
const refusal = (change: object, day: string, reason: string) =>
  checkClaim({ ...lead, ...change }, terms, noon(day), reason);

describe('a claim', () => {
  const now = noon('2025-05-07');

  it('is accepted within the window', () => {
    expect(checkClaim(lead, terms, now, 'fake')).toEqual({ ok: true, reason: { code: 'fake' } });
    expect(checkClaim(lead, terms, noon('2025-05-12'), 'ne')).toEqual({ ok: true, reason: { code: 'ne' } });
    expect(checkClaimable(lead, terms, now)).toMatchObject({ ok: true, window: { age: 2 } });
  });

  it('is otherwise rejected with a code and a German message', () => {
    const said = (...given: Parameters<typeof refusal>) => {
      const refused = refusal(...given);
      return refused.ok ? undefined : [refused.code, refused.message];
    };
    expect(said({}, '2025-05-07', '')).toEqual(['reason_required', 'Bitte wählen Sie einen Grund...']);
    expect(said({}, '2025-05-11', 'ne')).toEqual([
      'ne_too_early',
      '„Nicht erreichbar“ kann erst ab dem 12.05.2025 reklamiert werden.',
    ]);
    expect(said({}, '2025-05-15', 'fake')).toEqual([
      'claim_window_closed',
      'Die Reklamationsfrist ist am 14.05.2025 abgelaufen.',
    ]);
    expect(said({ leadType: 'reimbursement' }, '2025-05-07', 'fake')).toEqual([
      'replacement_not_claimable',
      'Ersatzleads können nicht reklamiert werden.',
    ]);
    for (const claimStatus of ['pending', 'approved', 'rejected'])
      expect(said({ claimStatus }, '2025-05-07', 'fake')).toEqual([
        'already_claimed',
        'Dieser Lead wurde bereits reklamiert.',
      ]);
    // Problems that cannot be fixed come first.
    expect(refusal({ leadType: 'reimbursement', claimStatus: 'pending' }, '2025-06-30', '')).toMatchObject({
      code: 'replacement_not_claimable',
    });
    expect(refusal({ claimStatus: 'rejected' }, '2025-06-30', '')).toMatchObject({ code: 'already_claimed' });
    expect(refusal({}, '2025-06-30', 'ne')).toMatchObject({ code: 'claim_window_closed' });
    expect(refusal({ deliveredAt: at('nie') }, '2025-05-07', 'fake')).toEqual({
      ok: false,
      code: 'invalid_delivery_date',
      message: 'Ungültiges Lieferdatum',
    });
  });
});
