import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import { displayId } from '#functions/data/leads/lead';
import { formatEuroShort } from '#shared/rules/formats';
import type { LeadMacro } from '#shared/rules/macros';

/** The part of a payload that describes the lead. */
export type SentLead = Pick<DeliveryPayload, 'lead_id' | 'person'> & {
  readonly delivery: Pick<DeliveryPayload['delivery'], 'order_id' | 'sequence'>;
};

/** The values for mappings to partners' fields: the amount in euro with a decimal point, the term in months. */
export function machineValues(payload: SentLead): Record<LeadMacro, string> {
  const { person, delivery } = payload;
  return {
    anrede: person.anrede,
    vorname: person.vorname,
    nachname: person.nachname,
    email: person.email,
    telefon: person.telefon,
    anlagebetrag: String(person.anlagebetrag / 100),
    laufzeit: String(person.laufzeit),
    src: person.src ?? '',
    clickId: person.clickId ?? '',
    lead_id: payload.lead_id,
    order_lead_id: displayId(delivery),
    order_id: String(delivery.order_id),
    lead_sequence: String(delivery.sequence),
  };
}

/** The values for texts that people read: the amount in euro as Germans write it. */
export function readableValues(payload: SentLead): Record<LeadMacro, string> {
  return { ...machineValues(payload), anlagebetrag: readableAmount(payload.person.anlagebetrag) };
}

/** `25.000` or `25.000,50`, without a currency sign. @param cents whole cents */
export function readableAmount(cents: number): string {
  return formatEuroShort(cents / 100).replace(/\s*€$/, '');
}

/** Replaces our field names in `{partner's field: our field}` by their values; empty and unknown ones are left out. */
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
