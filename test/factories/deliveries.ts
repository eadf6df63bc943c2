import type { Report } from '#functions/channels/channel';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import type { Attempt, Delivery } from '#functions/data/leads/lead';
import type { DeliverMessage } from '#functions/queues/messages';
import { aBuyer } from '#test/factories/buyers';
import { LEAD_ID } from '#test/factories/leads';
import { aPersonInFull } from '#test/factories/people';
import { aTemplate } from '#test/factories/templates';

/** An e-mail delivery without a delivery attempt. */
export const aDelivery = (changes: Partial<Delivery> = {}): Delivery => ({
  lead_id: LEAD_ID,
  channel: 'email',
  buyer: 7,
  order_id: 12,
  sequence: 3,
  lead_type: 'original',
  status: 'pending',
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
  series: 1,
  attempt_count: 0,
  next_attempt_at: null,
  external_id: null,
  error: null,
  attempts: [],
  ...changes,
});

/** The log entry of an attempt without an answer. */
export const anAttempt = (at: Date | string, outcome: Attempt['outcome'] = 'unknown'): Attempt => ({
  at: new Date(at).toISOString(),
  outcome,
  status_code: null,
  request: null,
  answer: null,
  duration_ms: 0,
});

/** The delivery data that a channel receives. */
export const aPayload = (changes: Partial<DeliveryPayload> = {}): DeliveryPayload => ({
  lead_id: LEAD_ID,
  received_at: '2026-11-20T10:00:00.000Z',
  person: aPersonInFull(),
  delivery: aDelivery(),
  buyer: aBuyer(),
  template: aTemplate(),
  token: 'planted-link-token',
  afterUnknown: false,
  ...changes,
});

/** A channel's report of a successful attempt. */
export const aReport = (changes: Partial<Report> = {}): Report => ({
  outcome: 'delivered',
  status_code: 250,
  request: 'what was sent',
  answer: 'what came back',
  external_id: null,
  error: null,
  ...changes,
});

export const aDeliverMessage = (changes: Partial<DeliverMessage> = {}): DeliverMessage => ({
  lead_id: LEAD_ID,
  channel: 'email',
  series: 1,
  attempt_count: 0,
  ...changes,
});
