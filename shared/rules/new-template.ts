import { LINK_MACRO } from '#shared/rules/macros';

/** What a new e-mail template says. The channel falls back to it where a stored template has no subject or no body. */
export const NEW_TEMPLATE = {
  name: 'New lead',
  smtp_port: 587,
  smtp_subject: 'Neuer Lead $$order_lead_id$$',
  smtp_body: [
    'Guten Tag,',
    '',
    'Sie haben einen neuen Lead zu Ihrer Bestellung $$order_id$$ erhalten:',
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
