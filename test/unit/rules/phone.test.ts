import { describe, expect, it } from 'vitest';
import { telLink } from '#frontend/buyer/view';
import { internationalPhone, nationalPhone } from '#functions/channels/phone';
import { checkPhone, phoneNumber } from '#functions/verification/offline';
import { phoneDigits, withPhonePrefix } from '#shared/rules/search-text';

describe('a phone number without plus sign and zero', () => {
  it.each([
    ['491701234567', '+491701234567'],
    ['49 170 / 1234567', '+491701234567'],
    ['(49) 170-1234567', '+491701234567'],
    ['49 (0)170 1234567', '+491701234567'],
    ['49301234567', '+49301234567'],
    ['436641234567', '+436641234567'],
    ['41 44 668 18 00', '+41446681800'],
    ['447911123456', '+447911123456'],
    ['1701234567', '+491701234567'],
    ['4941123456', '+494941123456'],
    ['49 41 123456', '+494941123456'],
  ])('%s is %s for partners, checks and duplicate detection', async (typed, international) => {
    expect(await internationalPhone(typed)).toBe(international);
    expect(await phoneNumber(typed)).toBe(international);
    expect((await checkPhone({ telefon: typed })).status).toBe('valid');
    expect(phoneDigits(typed)).toBe(phoneDigits(international));
  });

  it('is dialled with its country code or zero', async () => {
    expect(await nationalPhone('491701234567')).toBe('01701234567');
    expect(telLink('491701234567')).toBe('tel:+491701234567');
    expect(telLink('4941 123456')).toBe('tel:04941123456');
  });
});

describe('a phone number that needs no prefix', () => {
  it.each([
    '04941 123456',
    '0491 1234567',
    '(04961) 123456',
    '+49 4941 123456',
    '0049 170 1234567',
    '110',
    '49123',
    '',
    'call 491701234567',
  ])('%j does not change', (typed) => {
    expect(withPhonePrefix(typed)).toBe(typed);
  });

  it.each([
    ['04941 123456', '+494941123456'],
    ['0491 1234567', '+494911234567'],
    ['04941 1234567', '+4949411234567'],
  ])('%s keeps its area code', async (typed, international) => {
    expect(await internationalPhone(typed)).toBe(international);
    expect(await phoneNumber(typed)).toBe(international);
  });
});
