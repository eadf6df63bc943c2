import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import { displayId } from '#functions/data/leads/lead';
import { formatEuroShort } from '#shared/rules/formats';
import { EURO_FIELDS, LEAD_FIELDS, record } from '#shared/rules/lead-fields';
import type { LeadMacro } from '#shared/rules/macros';

export type SentLead = Pick<DeliveryPayload, 'lead_id' | 'person'> & {
  readonly delivery: Pick<DeliveryPayload['delivery'], 'order_id' | 'sequence'>;
};

/** For mappings to partners' fields: the amount in euro with a decimal point, the term in months. */
export const machineValues = (payload: SentLead) => valuesOf(payload, (cents) => String(cents / 100));

/** For texts: the amount in euro in German format. */
export const readableValues = (payload: SentLead) => valuesOf(payload, readableAmount);

function valuesOf(
  { lead_id, person, delivery }: SentLead,
  amount: (cents: number) => string,
): Record<LeadMacro, string> {
  return {
    ...record(LEAD_FIELDS, (name) => {
      const value = person[name] ?? '';
      return typeof value === 'number' && EURO_FIELDS.has(name) ? amount(value) : String(value);
    }),
    lead_id,
    order_lead_id: displayId(delivery),
    order_id: String(delivery.order_id),
    lead_sequence: String(delivery.sequence),
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
