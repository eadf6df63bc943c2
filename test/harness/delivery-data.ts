/** A buyer, its template, and a lead on its way: what a channel gets to see, with every setting filled in. */
import { randomBytes } from 'node:crypto';
import type { Template } from '#functions/data/administration/template';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import type { Delivery, Lead, Person } from '#functions/data/leads/lead';
import { indexed, keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { createCipher } from '#functions/keys/cipher';
import type { DeliverMessage } from '#functions/queues/messages';

export const cipher = createCipher([{ id: 'test', key: randomBytes(32) }]);
/** Secrets planted in the settings; they may appear nowhere. */
export const SECRETS = {
  smtp: 'smtp-Geheim-8271!',
  trackboxPassword: 'box-Geheim-5521?',
  trackboxKey: 'box-key-99ab77cd',
  heroleadsKey: 'hero-key-1234abcd',
  sellanyleadKey: 'sell-key-777aaa',
} as const;

export const person = (changes: Partial<Person> = {}): Person => ({
  anrede: 'Frau',
  vorname: 'Jürgen',
  nachname: "O'Brien-Müller",
  email: 'jana@example.org',
  telefon: '0170 1234567',
  anlagebetrag: 2_500_050,
  laufzeit: 36,
  clickId: 'click-1',
  src: 'seo',
  ...changes,
});

export const template = (changes: Partial<Template> = {}): Template => ({
  id: '01J0000000000000000000000T',
  name: 'Standard',
  smtp_host: '127.0.0.1',
  smtp_port: 587,
  smtp_user: 'sender@leads.example',
  smtp_pass: cipher.encrypt(SECRETS.smtp),
  smtp_from: 'leads@leads.example',
  smtp_subject: 'Lead $$order_lead_id$$ $$nachname$$',
  smtp_body: 'Name: $$vorname$$ $$nachname$$, $$anlagebetrag$$ EUR, $$src$$',
  smtp_html_body: '<p>$$vorname$$ <b>$$nachname$$</b></p>',
  created_at: '2026-11-01T00:00:00.000Z',
  version: 1,
  ...changes,
});

export const buyer = (changes: Partial<Buyer> = {}): Buyer => ({
  buyer: 7,
  buyer_id: 'acme',
  buyer_email: 'sales@acme.example',
  probability: 10_000,
  min_investment: null,
  price_per_lead: null,
  buyer_type: 'prepay',
  send_email: true,
  email_template_id: template().id,
  reimbursement_email_template_id: null,
  use_heroleads_api: true,
  heroleads_api_key: cipher.encrypt(SECRETS.heroleadsKey),
  heroleads_lead_type_id: '12',
  custom_data_mapping: {},
  use_sellanylead_api: true,
  use_trackbox_api: true,
  trackbox_username: 'boxuser',
  trackbox_password: cipher.encrypt(SECRETS.trackboxPassword),
  trackbox_api_key: cipher.encrypt(SECRETS.trackboxKey),
  trackbox_domain: '127.0.0.1',
  trackbox_ai: '2958015',
  trackbox_gi: '22',
  trackbox_ci: '1',
  trackbox_custom_mapping: {},
  manual_review: false,
  max_claim_days: 7,
  min_days_for_ne: 5,
  active: true,
  deleted_at: null,
  created_at: '2026-11-01T00:00:00.000Z',
  order_count: 1,
  last_order_id: 12,
  balance_count: 0,
  total_claims: 0,
  approved_claims: 0,
  rejected_claims: 0,
  version: 1,
  ...changes,
});

export const LEAD_ID = '01J00000000000000000000001';

export const lead = (changes: Partial<Lead> = {}): Lead => ({
  lead_id: LEAD_ID,
  status: 'assigned',
  ...person(),
  received_at: '2026-11-20T10:00:00.000Z',
  distribution_attempt: 1,
  buyer: 7,
  order_id: 12,
  sequence: 3,
  lead_type: 'original',
  assigned_at: '2026-11-20T10:00:00.000Z',
  ...changes,
});

export const delivery = (changes: Partial<Delivery> = {}): Delivery => ({
  lead_id: LEAD_ID,
  channel: 'email',
  buyer: 7,
  order_id: 12,
  sequence: 3,
  lead_type: 'original',
  status: 'pending',
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
  round: 1,
  attempt_count: 0,
  next_attempt_at: null,
  external_id: null,
  error: null,
  attempts: [],
  ...changes,
});

export const payload = (changes: Partial<DeliveryPayload> = {}): DeliveryPayload => ({
  lead_id: LEAD_ID,
  person: person(),
  delivery: delivery(),
  buyer: buyer(),
  template: template(),
  afterUnknown: false,
  ...changes,
});

/** Puts a delivery with its lead, its buyer and the template. */
export async function putDelivery(table: Table, row: Delivery): Promise<void> {
  await table.put({ put: { ...keys.lead(row.lead_id), ...lead({ lead_id: row.lead_id }) } });
  await table.put({ put: { ...keys.buyer(7), ...buyer() } });
  await table.put({ put: { ...keys.template(template().id), ...template() } });
  await table.put({
    put: {
      ...keys.delivery(row.lead_id, row.channel),
      gsi1pk: indexed.buyerDeliveries(row.buyer),
      gsi1sk: indexed.at(row.created_at, row.lead_id),
      ...row,
    },
  });
}

export const message = (changes: Partial<DeliverMessage> = {}): DeliverMessage => ({
  lead_id: LEAD_ID,
  channel: 'email',
  round: 1,
  attempt_count: 0,
  ...changes,
});
