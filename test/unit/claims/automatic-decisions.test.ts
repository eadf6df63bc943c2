/** The rules' decisions about a claim, from its evidence. */
import { describe, expect, it } from 'vitest';
import { automaticDecision, type ClaimFacts, reachedAt } from '#shared/rules/claim-evidence-rules';

const facts = (changes: Partial<ClaimFacts>): ClaimFacts => ({
  reason: 'doppelt',
  filedAt: '2026-11-20T10:00:00.000Z',
  maxClaimDays: 7,
  minDaysForNe: 5,
  assigned_at: '2026-11-13T10:00:00.000Z',
  delivered_at: null,
  opened_at: null,
  duplicates: [],
  claimed_later: [],
  checks: [],
  address: null,
  ...changes,
});
const earlier = (changes: Partial<ClaimFacts['duplicates'][number]> = {}) => ({
  lead_id: 'earlier',
  order_id: 3,
  sequence: 12,
  delivered_at: '2026-11-02T23:30:00.000Z',
  same: ['phone' as const],
  claim_status: null,
  ...changes,
});
const check = (kind: string, by: string, result: string) => ({
  kind,
  by,
  result,
  at: '2026-11-20T10:00:01.000Z',
});

describe('a claim for a duplicate', () => {
  it('is proven by an earlier lead that is still billed', () => {
    expect(automaticDecision(facts({ duplicates: [earlier()] }))).toEqual({
      rule: 'duplicate_same_buyer',
      status: 'approved',
      earlierLead: 'earlier',
      others: ['email'],
      german: 'Ihr Lead 3-12, geliefert am 03.11.2026, hat dieselbe Telefonnummer.',
      english: 'Same phone number as lead 3-12, delivered to this buyer on 03.11.2026.',
    });
    const both = earlier({ same: ['email', 'phone'] });
    expect(automaticDecision(facts({ duplicates: [both] }))?.german).toMatch(
      /dieselbe Telefonnummer und dieselbe E-Mail-Adresse\.$/,
    );
  });

  it('is not proven by a compensated lead, unless there is another one', () => {
    const approved = earlier({ claim_status: 'approved' });
    expect(automaticDecision(facts({ duplicates: [approved] }))).toBeUndefined();
    const other = earlier({ sequence: 13, claim_status: 'rejected' });
    expect(automaticDecision(facts({ duplicates: [approved, other] }))?.german).toContain('3-13');
    expect(automaticDecision(facts({}))).toBeUndefined();
  });
});

describe('a claim for a wrong e-mail address or number', () => {
  it('is proven by the last conclusive provider result', () => {
    const dead = { reason: 'falsche_nummer', checks: [check('phone', 'Twilio', 'dead')] } as const;
    expect(automaticDecision(facts(dead))).toMatchObject({ rule: 'phone_dead', status: 'approved' });
    const unsure = [...dead.checks, check('phone', 'Twilio', 'unknown')];
    expect(automaticDecision(facts({ ...dead, checks: unsure }))).toMatchObject({ rule: 'phone_dead' });
    const alive = [...dead.checks, check('phone', 'Twilio', 'valid')];
    expect(automaticDecision(facts({ ...dead, checks: alive }))).toBeUndefined();
    expect(automaticDecision(facts({ ...dead, reason: 'falsche_email' }))).toBeUndefined();
  });

  it('is not proven by the product’s own check, or by a rejected e-mail address', () => {
    for (const one of [check('email', 'offline', 'dead'), check('email', 'ZeroBounce', 'invalid')])
      expect(automaticDecision(facts({ reason: 'falsche_email', checks: [one] }))).toBeUndefined();
    const dead = [check('email', 'ZeroBounce', 'dead')];
    expect(automaticDecision(facts({ reason: 'falsche_email', checks: dead }))).toMatchObject({
      rule: 'email_dead',
      german: 'Die E-Mail-Adresse gibt es nicht: geprüft von ZeroBounce am 20.11.2026.',
    });
  });

  it('is not proven while a later lead of the person is claimed, unless that has the same dead contact', () => {
    for (const [kind, reason] of [
      ['phone', 'falsche_nummer'],
      ['email', 'falsche_email'],
    ] as const) {
      const dead = { reason, checks: [check(kind, 'Twilio', 'dead')] };
      const other = kind === 'phone' ? 'email' : 'phone';
      expect(automaticDecision(facts({ ...dead, claimed_later: [{ same: [kind, other] }] }))).toBeDefined();
      expect(automaticDecision(facts({ ...dead, claimed_later: [{ same: [other] }] }))).toBeUndefined();
    }
  });

  it('of an e-mail address is proven by a hard bounce only', () => {
    const at = '2026-11-15T10:00:00.000Z';
    const bounced = (state: string) =>
      automaticDecision(facts({ reason: 'falsche_email', address: { state, at, code: '5.1.1' } }));
    expect(bounced('bounced_hard')?.german).toBe(
      'Eine Nachricht an die E-Mail-Adresse kam am 15.11.2026 als unzustellbar zurück (5.1.1).',
    );
    expect(bounced('bounced_soft')).toBeUndefined();
  });
});

describe('a claim for an unreachable person', () => {
  it('counts from when the lead reached the buyer', () => {
    const opened = { reason: 'ne', opened_at: '2026-11-17T09:00:00.000Z' } as const;
    expect(automaticDecision(facts(opened))).toMatchObject({
      rule: 'ne_out_of_window',
      status: 'rejected',
      german:
        'Der Lead lag Ihnen seit dem 17.11.2026 vor, reklamiert wurde am 20.11.2026, nach 3 Werktagen. Vereinbart sind für „Nicht erreichbar“ 5 bis 7 Werktage.',
    });
    // Five working days, and the e-mail arrived before the list was opened.
    expect(automaticDecision(facts({ ...opened, delivered_at: '2026-11-13T10:00:05.000Z' }))).toBeUndefined();
    expect(automaticDecision(facts({ ...opened, minDaysForNe: 3 }))).toBeUndefined();
    expect(automaticDecision(facts({ ...opened, minDaysForNe: 1, maxClaimDays: 2 }))).toMatchObject({
      status: 'rejected',
    });
    expect(automaticDecision(facts({ reason: 'ne' }))).toBeUndefined();
  });

  it.each([
    ['channel, link', '14', '16', '14'],
    ['link, channel', '16', '14', '14'],
    ['both at once', '15', '15', '15'],
    ['channel alone', '16', null, '16'],
    ['link alone', null, '16', '16'],
    ['channel before the assignment, then link', '12', '16', '13'],
    ['link before the assignment, then channel', '16', '12', '13'],
  ])('counts from the first of %s', (_, delivered, opened, first) => {
    const on = (day: string | null) => (day === null ? null : `2026-11-${day}T10:00:00.000Z`);
    const dates = { assigned_at: on('13')!, delivered_at: on(delivered), opened_at: on(opened) };
    expect(reachedAt(dates)).toBe(on(first));
    const claim = { reason: 'ne', filedAt: '2026-11-17T10:00:00.000Z', ...dates } as const;
    expect(automaticDecision(facts(claim))?.german).toContain(`seit dem ${first}.11.2026`);
  });
});

it('reasons that only a person can judge have no automatic decision', () => {
  const known = { duplicates: [earlier()], checks: [check('phone', 'Twilio', 'dead')] };
  for (const reason of ['fake', 'falsche_daten', 'ausland', 'other'] as const)
    expect(automaticDecision(facts({ ...known, reason }))).toBeUndefined();
});

it('buyers and admins each get the reason in one sentence', () => {
  const said = (changes: Partial<ClaimFacts>) => {
    const { german, english } = automaticDecision(facts(changes)) ?? {};
    return [german, english];
  };
  const address = { state: 'bounced_hard', at: '2026-11-15T10:00:00.000Z', code: null } as const;
  expect(said({ reason: 'falsche_email', address })).toEqual([
    'Eine Nachricht an die E-Mail-Adresse kam am 15.11.2026 als unzustellbar zurück.',
    'An e-mail to this address bounced permanently on 15.11.2026.',
  ]);
  expect(said({ reason: 'falsche_email', checks: [check('email', 'ZeroBounce', 'dead')] })[1]).toBe(
    'The mailbox does not exist (checked by ZeroBounce on 20.11.2026).',
  );
  expect(said({ reason: 'falsche_nummer', checks: [check('phone', 'Twilio', 'dead')] })).toEqual([
    'Die Telefonnummer gibt es nicht: geprüft von Twilio am 20.11.2026.',
    'The number does not exist (checked by Twilio on 20.11.2026).',
  ]);
  const late = { reason: 'ne', opened_at: '2026-11-19T09:00:00.000Z', minDaysForNe: 0 } as const;
  expect(said({ ...late, maxClaimDays: 0 })).toEqual([
    'Der Lead lag Ihnen seit dem 19.11.2026 vor, reklamiert wurde am 20.11.2026, nach 1 Werktag. Vereinbart sind für „Nicht erreichbar“ 0 bis 0 Werktage.',
    'The lead reached the buyer on 19.11.2026 and was claimed on 20.11.2026, after 1 working day. Agreed: 0 to 0 working days.',
  ]);
  expect(said({ ...late, opened_at: '2026-11-18T09:00:00.000Z', maxClaimDays: 1 })[1]).toMatch(
    /after 2 working days\. Agreed: 0 to 1 working day\.$/,
  );
});
