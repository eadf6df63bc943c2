import { describe, expect, it } from 'vitest';
import { isSentElsewhere, SECRET_AGAIN_TEXT, SMTP_PASSWORD_SENT_TO } from '#shared/rules/destinations';
import { checkProbability, isEmailAddress, PROBABILITY_TOTAL_TEXT } from '#shared/rules/validation';

describe('an e-mail address', () => {
  const ofLength = (characters: number) => `${'x'.repeat(characters - '@example.org'.length)}@example.org`;

  it.each(['a@b.de', 'max.muster+tag@mail.example.org', 'jürgen@bücher.example', 'a@b.c.dd', ofLength(254)])(
    '%.40j is valid',
    (text) => {
      expect(isEmailAddress(text)).toBe(true);
    },
  );

  it.each(
    [
      ['', 'a', 'a@', '@b.de', 'a@b', 'a@b.c', 'a@.de', 'a@b.de.'],
      ['a b@c.de', 'a@b c.de', 'a@b.d e', 'x a@b.de', 'a@b.de ', ' a@b.de'],
      ['a@@b.de', 'a@b@c.de', 'a,b@c.de', 'a@b.de,c@d.de', 'a;b@c.de', 'a@b.de;x', '<a@b.de>', 'a@b.de>'],
      ['"a"@b.de', '(a)@b.de', '[a]@b.de', 'a\\b@c.de', 'a:b@c.de', 'a@[1.2.3.4]', 'a@b:c.de', 'a@b.d:e'],
      ['a..b@c.de', 'a@b..de', 'a@b.de\nBcc: x@y.de', ofLength(255)],
    ].flat(),
  )('%.40j is none', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });
});

describe('the weight of a buyer, in hundredths of a percent', () => {
  it.each([
    [100_00, [], 'fits'],
    [40_00, [30_00, 30_00], 'fits'],
    [40_01, [30_00, 30_00], 'exceeds'],
    [0, [60_00, 40_01], 'exceeds'],
    [100_00, [0, 0], 'fits'],
    [100_00, [1], 'exclusive'],
    [99_99, [2], 'exceeds'],
    [100_01, [], 'exceeds'],
  ] as const)('%d with others of %j: %s', (own, others, verdict) => {
    expect(checkProbability(own, others)).toBe(verdict);
  });

  it('is rejected with this text', () => {
    expect(PROBABILITY_TOTAL_TEXT).toBe('Total probability cannot exceed 100%. Please adjust the value.');
  });
});

describe('a stored secret', () => {
  const before = { host: 'mail.example.org', port: 587, user: null };
  const sent = (after: Partial<Record<keyof typeof before, string | number | null>>) =>
    isSentElsewhere(['host', 'port', 'user'], before, { ...before, ...after });

  it('has a new destination if its server, port or account changes', () => {
    expect(sent({ host: 'evil.example' })).toBe(true);
    expect(sent({ port: 25 })).toBe(true);
    expect(sent({ user: 'ann' })).toBe(true);
    expect(isSentElsewhere(['port'], before, { port: 25 })).toBe(true);
    expect(isSentElsewhere(['host'], before, { host: 'mail.example.org' })).toBe(false);
  });

  it('has no new destination without a change, or without a destination', () => {
    expect(sent({})).toBe(false);
    expect(sent({ host: ' mail.example.org ', port: '587', user: '' })).toBe(false);
    expect(sent({ host: '', port: null, user: ' ' })).toBe(false);
    expect(isSentElsewhere([], before, { host: 'evil.example' } as never)).toBe(false);
  });

  it('of a template depends on server, port and account, and a change shows this text', () => {
    expect(SMTP_PASSWORD_SENT_TO).toEqual(['smtp_host', 'smtp_port', 'smtp_user']);
    expect(SECRET_AGAIN_TEXT).toBe('Enter it again, because the destination has changed');
  });
});
