/** Delivery by e-mail, with the mail server and the texts of the buyer's template. */
import type { ChannelAdapter } from '#functions/channels/channel';
import { notSent } from '#functions/channels/http-channel';
import {
  DELIVERY_TIMEOUTS_MS,
  longestCallMs,
  type Message,
  type SmtpDeps,
  sendOverSmtp,
} from '#functions/channels/smtp';
import { readableValues, type SentLead } from '#functions/channels/values';
import type { Template } from '#functions/data/administration/template';
import { escapeHtml, fillMacros, singleLine } from '#shared/rules/macros';

/** Used for a template without a subject, or without any body. */
const BUILT_IN = {
  subject: 'Neuer Lead $$order_lead_id$$',
  text: [
    'Neuer Lead $$order_lead_id$$',
    '',
    'Anrede: $$anrede$$',
    'Vorname: $$vorname$$',
    'Nachname: $$nachname$$',
    'E-Mail: $$email$$',
    'Telefon: $$telefon$$',
    'Anlagebetrag: $$anlagebetrag$$ €',
    'Laufzeit: $$laufzeit$$ Monate',
    '',
  ].join('\n'),
} as const;

export function createEmailChannel(deps: SmtpDeps): ChannelAdapter {
  return {
    async send(payload, signal) {
      if (payload.template === null) {
        return notSent('The buyer has no e-mail template');
      }
      return sendOverSmtp(
        deps,
        payload.template,
        leadMessage(payload, payload.template, payload.buyer.buyer_email),
        signal,
      );
    },
    longestMs: longestCallMs(deps.timeouts ?? DELIVERY_TIMEOUTS_MS),
    destination: ({ template }) => template?.smtp_host ?? '',
  };
}

/**
 * The message for a lead. Values are escaped in HTML, lose line breaks in the subject and are never part of an address,
 * except that replies go to the person.
 */
export function leadMessage(lead: SentLead, template: Template, to: string): Message {
  const values = readableValues(lead);
  const { person } = lead;
  const bodies = template.smtp_body.trim() !== '' || template.smtp_html_body.trim() !== '';
  const text = bodies ? template.smtp_body : BUILT_IN.text;
  return {
    to,
    replyTo: { name: singleLine(`${person.vorname} ${person.nachname}`), address: person.email },
    subject: fillMacros(template.smtp_subject.trim() || BUILT_IN.subject, values, singleLine),
    text: fillMacros(text, values),
    ...(template.smtp_html_body.trim() !== '' && {
      html: fillMacros(template.smtp_html_body, values, escapeHtml),
    }),
    messageId: `${lead.lead_id}.${template.id}`,
  };
}
