import type { Buyer, PoolEntry } from '#functions/data/buyers/buyer';
import { newBuyer } from '#functions/domain/buyers/new-buyer';
import type { Channel } from '#shared/channels/channels';
import type { Sent } from '#shared/contract/schemas';
import { cipher, SECRETS } from '#test/factories/secrets';
import { aTemplate } from '#test/factories/templates';

export type BuyerRequest = Sent<'createBuyer', 'body'>;

/** A buyer in stored form, with the settings of every channel. */
export const aBuyer = (changes: Partial<Buyer> = {}): Buyer => ({
  ...newBuyer(7, 'acme', '2026-11-01T00:00:00.000Z'),
  buyer_email: 'sales@acme.example',
  probability: 10_000,
  active: true,
  order_count: 1,
  last_order_id: 12,
  send_email: true,
  email_template_id: aTemplate().id,
  use_heroleads_api: true,
  heroleads_api_key: cipher.encrypt(SECRETS.heroleadsKey),
  heroleads_lead_type_id: '12',
  use_sellanylead_api: true,
  sellanylead_api_key: cipher.encrypt(SECRETS.sellanyleadKey),
  use_trackbox_api: true,
  trackbox_username: 'boxuser',
  trackbox_password: cipher.encrypt(SECRETS.trackboxPassword),
  trackbox_api_key: cipher.encrypt(SECRETS.trackboxKey),
  trackbox_domain: '127.0.0.1',
  trackbox_ai: '2958015',
  trackbox_gi: '22',
  use_http_api: true,
  http_auth: 'bearer',
  http_url: 'http://127.0.0.1/leads',
  http_secret: cipher.encrypt(SECRETS.httpSecret),
  http_body: '{ "email": "$$email$$" }',
  http_id_path: 'id',
  ...changes,
});

/** A pool entry of a buyer with capacity in its open order. */
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
/** A buyer as saved by an admin, with a small weight and a unique ID. */
export function aBuyerRequest(changes: Partial<BuyerRequest> = {}): BuyerRequest {
  counter += 1;
  const { buyer_id = `buyer-${counter}` } = changes;
  return { buyer_id, buyer_email: `${buyer_id}@buyers.example`, probability: 1, ...changes };
}

/** The settings for delivery over one channel, with the given secrets. */
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
