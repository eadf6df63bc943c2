import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import type { Consent } from '#functions/data/leads/consent';
import { displayId } from '#functions/data/leads/lead';
import { CONSENT_METHOD_LABELS, channelsText } from '#shared/rules/consent';
import { formatDateTime, formatEuroShort } from '#shared/rules/formats';
import { EURO_FIELDS, LEAD_FIELDS, record } from '#shared/rules/lead-fields';
import type { LeadMacro } from '#shared/rules/macros';

export type SentLead = Pick<DeliveryPayload, 'lead_id' | 'person' | 'consent'> & {
  readonly delivery: Pick<DeliveryPayload['delivery'], 'order_id' | 'sequence'>;
};

interface Writer {
  readonly amount: (cents: number) => string;
  readonly time: (instant: string) => string;
  readonly method: (method: Consent['method']) => string;
  readonly channels: (channels: Consent['channels']) => string;
}

const MACHINE: Writer = {
  amount: (cents) => String(cents / 100),
  time: (instant) => instant,
  method: (method) => method,
  channels: (channels) => channels.join(','),
};

const GERMAN: Writer = {
  amount: readableAmount,
  time: (instant) => formatDateTime(new Date(instant)),
  method: (method) => CONSENT_METHOD_LABELS[method].de,
  channels: (channels) => channelsText(channels, 'de'),
};

/** For mappings to partners' fields: the amount in euro with a decimal point, the term in months. */
export const machineValues = (payload: SentLead) => valuesOf(payload, MACHINE);

/** For texts, in German formats. */
export const readableValues = (payload: SentLead) => valuesOf(payload, GERMAN);

function valuesOf(
  { lead_id, person, delivery, consent }: SentLead,
  write: Writer,
): Record<LeadMacro, string> {
  const time = (instant: string | undefined) => (instant === undefined ? '' : write.time(instant));
  return {
    ...record(LEAD_FIELDS, (name) => {
      const value = person[name] ?? '';
      return typeof value === 'number' && EURO_FIELDS.has(name) ? write.amount(value) : String(value);
    }),
    lead_id,
    order_lead_id: displayId(delivery),
    order_id: String(delivery.order_id),
    lead_sequence: String(delivery.sequence),
    consent_given_at: time(consent?.given_at),
    consent_method: consent === undefined ? '' : write.method(consent.method),
    consent_channels: consent === undefined ? '' : write.channels(consent.channels),
    consent_text: consent?.text ?? '',
    consent_page_url: consent?.page_url ?? '',
    consent_confirmed_at: time(consent?.confirmed_at),
    consent_proof_url: consent?.proof_url ?? '',
  };
}

/** `25.000` or `25.000,50`, without a currency sign. @param cents whole cents */
export function readableAmount(cents: number): string {
  return formatEuroShort(cents / 100).replace(/\s*€$/, '');
}

/** `{partner's field: our field}`; empty and unknown values are left out. */
export function mapped(
  mapping: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(mapping).flatMap(([name, source]) => {
      const value = Object.hasOwn(values, source) ? values[source] : undefined;
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}
