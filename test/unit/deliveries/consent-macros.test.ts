/** A delivery reads the consent only if its settings use it. Runs on the in-memory table. */
import { describe, expect, it } from 'vitest';
import { leadMessage } from '#functions/channels/email';
import { machineValues } from '#functions/channels/values';
import * as payloadStore from '#functions/data/deliveries/payloads';
import type { Consent } from '#functions/data/leads/consent';
import { keys } from '#functions/data/table/keys';
import { aBuyer } from '#test/factories/buyers';
import { aDelivery, aPayload } from '#test/factories/deliveries';
import { aLead, LEAD_ID } from '#test/factories/leads';
import { aPerson } from '#test/factories/people';
import { aTemplate } from '#test/factories/templates';
import { putDelivery } from '#test/harness/deliveries';
import { changedTable } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const CONSENT: Consent = {
  given_at: '2026-11-24T13:03:00.000Z',
  method: 'form',
  channels: ['phone', 'messaging'],
  text: 'Ich bin einverstanden, dass mich Muster GmbH anruft.',
  page_url: 'https://example.org/anfrage',
  confirmed_at: '2026-11-24T13:05:00.000Z',
};

const SETTINGS = {
  'an HTTP body': { http_body: '{ "at": "$$consent_given_at:unix$$" }' },
  'a mapping': { custom_data_mapping: { einwilligung: 'consent_text' } },
} as const;

async function loaded(
  buyer: Partial<ReturnType<typeof aBuyer>>,
  {
    consent,
    channel = 'http',
    body,
  }: {
    readonly consent?: ['phone'] | undefined;
    readonly channel?: 'http' | 'email';
    readonly body?: string;
  },
) {
  const table = memoryTable();
  await putDelivery(table, aDelivery({ channel }));
  await table.put({ put: { ...keys.lead(LEAD_ID), ...aLead({ consent }) } });
  await table.put({ put: { ...keys.buyer(7), ...aBuyer(buyer) } });
  if (body !== undefined)
    await table.put({ put: { ...keys.template(aTemplate().id), ...aTemplate({ smtp_body: body }) } });
  await table.put({ put: { ...keys.consentText('hash'), text: CONSENT.text, created_at: '' } });
  const stored = { ...CONSENT, text: 'hash' };
  await table.put({
    put: {
      ...keys.consent(LEAD_ID),
      lead_id: LEAD_ID,
      recorded_at: '',
      seed: 'x',
      person: JSON.stringify(aPerson()),
      consent: JSON.stringify(stored),
    },
  });
  const reads: string[] = [];
  const counted = changedTable(table, {
    get: (key, options) => {
      if (/CONSENT/.test(key.pk + key.sk)) reads.push(key.sk);
      return table.get(key, options);
    },
  });
  const result = await payloadStore.load({ table: counted }, aDelivery({ channel }));
  return { reads, consent: result.ok ? result.payload.consent : undefined };
}

describe('a delivery', () => {
  it.each(Object.entries(SETTINGS))('reads the consent with its wording for %s', async (_, buyer) => {
    expect(await loaded(buyer, { consent: ['phone'] })).toEqual({
      reads: ['CONSENT', 'CONSENTTEXT'],
      consent: CONSENT,
    });
  });

  it('reads nothing more for a lead without consent, or settings without its macros', async () => {
    expect((await loaded(SETTINGS['an HTTP body'], {})).reads).toEqual([]);
    expect((await loaded({ http_body: '{ "email": "$$email$$" }' }, { consent: ['phone'] })).reads).toEqual(
      [],
    );
  });

  it('by e-mail reads it for the template, not for the buyer’s other channels', async () => {
    const email = { consent: ['phone'], channel: 'email' } as const;
    const mapped = SETTINGS['a mapping'];
    expect((await loaded(mapped, { ...email, consent: ['phone'] })).reads).toEqual([]);
    const used = await loaded({}, { ...email, consent: ['phone'], body: 'Am $$consent_given_at$$' });
    expect(used.consent).toEqual(CONSENT);
  });
});

describe('the macros of a consent', () => {
  const text = '$$consent_given_at$$|$$consent_confirmed_at$$|$$consent_method$$|$$consent_channels$$';
  const mail = (consent?: Consent) =>
    leadMessage(aPayload({ consent }), aTemplate({ smtp_body: text }), 'a@acme.example', '').text;

  it('are German in e-mails, and empty without consent', () => {
    expect(mail(CONSENT)).toBe('24.11.2026, 14:03|24.11.2026, 14:05|Formular|Telefon, Messenger und SMS');
    expect(mail()).toBe('|||');
  });

  it('are instants and names for partners', () => {
    expect(machineValues(aPayload({ consent: CONSENT }))).toMatchObject({
      consent_given_at: '2026-11-24T13:03:00.000Z',
      consent_method: 'form',
      consent_channels: 'phone,messaging',
      consent_text: CONSENT.text,
      consent_proof_url: '',
    });
  });
});
