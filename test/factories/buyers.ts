import type { Buyer, PoolEntry } from '#functions/data/buyers/buyer';
import type { Channel } from '#shared/channels/channels';
import type { Sent } from '#shared/contract/schemas';
import { cipher, SECRETS } from '#test/factories/secrets';
import { aTemplate } from '#test/factories/templates';

export type BuyerRequest = Sent<'createBuyer', 'body'>;

/** A buyer as it is stored, with every setting of every channel filled in. */
export const aBuyer = (changes: Partial<Buyer> = {}): Buyer => ({
  buyer: 7,
  buyer_id: 'acme',
  buyer_email: 'sales@acme.example',
  probability: 10_000,
  min_investment: null,
  price_per_lead: null,
  buyer_type: 'prepay',
  send_email: true,
  email_template_id: aTemplate().id,
  reimbursement_email_template_id: null,
  use_heroleads_api: true,
  heroleads_api_key: cipher.encrypt(SECRETS.heroleadsKey),
  heroleads_lead_type_id: '12',
  custom_data_mapping: {},
  heroleads_request: null,
  heroleads_rules: [],
  heroleads_id_path: 'id, data.id',
  use_sellanylead_api: true,
  sellanylead_api_key: cipher.encrypt(SECRETS.sellanyleadKey),
  sellanylead_request: null,
  sellanylead_rules: [],
  sellanylead_id_path: 'id, lead_id',
  use_trackbox_api: true,
  trackbox_username: 'boxuser',
  trackbox_password: cipher.encrypt(SECRETS.trackboxPassword),
  trackbox_api_key: cipher.encrypt(SECRETS.trackboxKey),
  trackbox_domain: '127.0.0.1',
  trackbox_ai: '2958015',
  trackbox_gi: '22',
  trackbox_ci: '1',
  trackbox_custom_mapping: {},
  use_http_api: true,
  http_method: 'POST',
  http_auth: 'bearer',
  http_url: 'http://127.0.0.1/leads',
  http_user: null,
  http_key_name: null,
  http_secret: cipher.encrypt(SECRETS.httpSecret),
  http_second_secret: null,
  http_headers: [],
  http_body_kind: 'json',
  http_body: '{ "email": "$$email$$" }',
  http_rules: [],
  http_id_path: 'id',
  http_signature: 'none',
  http_signing_secret: null,
  manual_review: false,
  on_refusal: 'keep',
  auto_decide_claims: false,
  max_claim_days: 7,
  link_code: false,
  link_days: null,
  notify_claim_decided: true,
  notify_order_nearly_full: false,
  notify_weekly_statement: false,
  schedule: null,
  min_days_for_ne: 5,
  decision_days: null,
  default_decision: 'none',
  claim_quota_percent: null,
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

/** A buyer in the pool, with an open order that has capacity. */
export const aPoolEntry = (changes: Partial<PoolEntry> = {}): PoolEntry => ({
  buyer: 7,
  buyer_id: 'acme',
  probability: 5000,
  min_investment: 0,
  manual_review: false,
  active: true,
  channels: ['email'],
  order_id: 12,
  has_capacity: true,
  version: 1,
  ...changes,
});

let counter = 0;
/** A buyer as an admin saves it, so small that it does not crowd others out; each with an id of its own. */
export function aBuyerRequest(changes: Partial<BuyerRequest> = {}): BuyerRequest {
  counter += 1;
  const { buyer_id = `buyer-${counter}` } = changes;
  return { buyer_id, buyer_email: `${buyer_id}@buyers.example`, probability: 1, ...changes };
}

/** The settings by which a buyer gets its leads over one channel, with the secrets that are given. */
export const settingsOf = (
  channel: Channel,
  at: { readonly templateId: string; readonly partners: string },
  secrets: Omit<typeof SECRETS, 'smtp'> | Record<string, string>,
): Partial<BuyerRequest> => ({
  send_email: channel === 'email',
  email_template_id: at.templateId,
  use_heroleads_api: channel === 'heroleads',
  heroleads_api_key: secrets.heroleadsKey,
  heroleads_lead_type_id: '12',
  use_sellanylead_api: channel === 'sellanylead',
  sellanylead_api_key: secrets.sellanyleadKey,
  use_trackbox_api: channel === 'trackbox',
  trackbox_username: 'boxuser',
  trackbox_password: secrets.trackboxPassword,
  trackbox_api_key: secrets.trackboxKey,
  trackbox_domain: at.partners,
  trackbox_ai: '1',
  trackbox_gi: '2',
  use_http_api: channel === 'http',
  http_url: `${/^(localhost|127\.)/.test(at.partners) ? 'http' : 'https'}://${at.partners}/http/leads`,
  http_auth: 'bearer',
  http_secret: secrets.httpSecret,
  http_body: '{ "reference": "$$lead_id$$", "mail": "$$email$$", "tel": "$$telefon:e164$$" }',
  http_id_path: 'result.number',
});
