/** The e-mails that the product writes, with and without the details of the company. */
import { describe, expect, it } from 'vitest';
import type { Company } from '#functions/data/administration/company';
import * as claimStore from '#functions/data/claims/claim-store';
import { createTexts } from '#functions/workers/notify/texts';
import { aBuyer } from '#test/factories/buyers';
import { aNewClaim } from '#test/factories/claims';
import { aLead } from '#test/factories/leads';
import { anOrder } from '#test/factories/orders';

const NOBODY: Company = {
  name: '',
  address: '',
  imprint_url: '',
  privacy_url: '',
  privacy_contact: '',
  version: 0,
};
const MUSTER: Company = {
  name: 'Muster GmbH',
  address: 'Weg 1\r\n\r\n12345 Berlin\n',
  imprint_url: 'https://muster.example/impressum',
  privacy_url: 'https://muster.example/datenschutz',
  privacy_contact: 'datenschutz@muster.example',
  version: 1,
};
const FOOTER = [
  'Muster GmbH',
  'Weg 1',
  '12345 Berlin',
  'Impressum: https://muster.example/impressum',
  'Datenschutz: https://muster.example/datenschutz',
  'Kontakt zum Datenschutz: datenschutz@muster.example',
  '',
].join('\n');
const UNSUBSCRIBING =
  '\n--\nDiese E-Mails abbestellen: https://leads.example/unsubscribe/7-claim_decided-x\n';
const TOKEN = '7-claim_decided-x';

const buyer = aBuyer();
const order = anOrder();
const EMAILS = {
  'a code': (company: Company) =>
    createTexts('https://leads.example', company).link({
      about: 'link_code',
      code: '12345678',
      order,
      buyer,
      request: 'r',
      unsubscribe: undefined,
    }),
  'a weekly statement': (company: Company) =>
    createTexts('https://leads.example', company).link({
      about: 'weekly_statement',
      code: '',
      order,
      buyer,
      request: 'r',
      unsubscribe: TOKEN,
    }),
  'a decided claim': (company: Company) =>
    createTexts('https://leads.example', company).decision({
      claim: claimStore.filed(aNewClaim(), aLead()).claim,
      lead: aLead(),
      buyer,
      order,
      unsubscribe: TOKEN,
    }),
  'an erasure': (company: Company) =>
    createTexts('https://leads.example', company).erasure({
      recipient: {
        erasure_id: 'e1',
        purpose: 'erasure',
        buyer: 7,
        leads: [],
        by_hand: false,
        email_count: 0,
      },
      buyer,
      token: 't',
      email_number: 1,
    }),
} as const;

describe.each(Object.entries(EMAILS))('the e-mail about %s', (_about, email) => {
  const { text, ...head } = email(NOBODY);
  const isOptional = 'unsubscribe' in head;

  it('has no trace of a company that is not set', () => {
    expect(text.endsWith(isOptional ? UNSUBSCRIBING : '\n')).toBe(true);
    expect(text).not.toMatch(/\n\n$|Impressum|Datenschutz/);
    expect(text.includes('\n--\n')).toBe(isOptional);
  });

  it('ends with the company and is otherwise unchanged', () => {
    expect(email(MUSTER)).toEqual({ ...head, text: `${text}${isOptional ? '\n' : '\n--\n'}${FOOTER}` });
  });

  it('leaves out what is not set', () => {
    const { text: short } = email({ ...NOBODY, privacy_url: 'https://muster.example/p' });
    expect(short).toBe(`${text}${isOptional ? '\n' : '\n--\n'}Datenschutz: https://muster.example/p\n`);
  });
});

it('an alert to admins names no company', () => {
  expect(createTexts('https://leads.example', MUSTER).alert({ lines: ['One'] }).text).toBe(
    'One\n\nhttps://leads.example/dashboard\n',
  );
});
