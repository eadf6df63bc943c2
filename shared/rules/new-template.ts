import { LINK_MACRO } from '#shared/rules/macros';

/** Also the fallback for stored templates without subject or body. */
export const NEW_TEMPLATE = {
  name: 'New lead',
  smtp_port: 587,
  smtp_subject: 'Neuer Lead $$order_lead_id$$',
  smtp_body: [
    'Guten Tag,',
    '',
    'Sie haben einen neuen Lead zu Ihrer Bestellung erhalten:',
    '',
    'Name: $$anrede$$ $$vorname$$ $$nachname$$',
    'Telefon: $$telefon$$',
    'E-Mail: $$email$$',
    'Anlagebetrag: $$anlagebetrag$$ €',
    'Laufzeit: $$laufzeit$$ Monate',
    'Lead-Nummer: $$order_lead_id$$',
    '',
    `Alle Leads dieser Bestellung: $$${LINK_MACRO}$$`,
    '',
  ].join('\n'),
} as const;
