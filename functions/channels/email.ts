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
import { linkOf } from '#functions/platform/links';
import { escapeHtml, fillMacros, LINK_MACRO, singleLine } from '#shared/rules/macros';
import { NEW_TEMPLATE } from '#shared/rules/new-template';

export function createEmailChannel(deps: SmtpDeps & { readonly publicBaseUrl: string }): ChannelAdapter {
  return {
    async send(payload, signal) {
      const { template, buyer } = payload;
      if (template === null) return notSent('The buyer has no e-mail template');
      const message = leadMessage(payload, template, buyer.buyer_email, deps.publicBaseUrl);
      return sendOverSmtp(deps, template, message, signal);
    },
    longestMs: longestCallMs(deps.timeouts ?? DELIVERY_TIMEOUTS_MS),
    destination: ({ template }) => template?.smtp_host ?? '',
  };
}

/**
 * Values are escaped in HTML, lose line breaks in the subject and are never part of an address, except that replies go
 * to the person. While the link is off, lines that contain nothing else are removed.
 */
export function leadMessage(
  lead: SentLead & { readonly token: string },
  template: Template,
  to: string,
  publicBaseUrl: string,
): Message {
  const link = linkOf(publicBaseUrl, lead);
  const values = { ...readableValues(lead), [LINK_MACRO]: link ?? '' };
  const { person } = lead;
  const { smtp_html_body: html } = template;
  const bodies = template.smtp_body.trim() !== '' || html.trim() !== '';
  const text = bodies ? template.smtp_body : NEW_TEMPLATE.smtp_body;
  return {
    to,
    replyTo: { name: singleLine(`${person.vorname} ${person.nachname}`), address: person.email },
    subject: fillMacros(template.smtp_subject.trim() || NEW_TEMPLATE.smtp_subject, values, singleLine),
    text: fillMacros(link === null ? withoutLinkLines(text) : text, values),
    ...(html.trim() !== '' && { html: fillMacros(html, values, escapeHtml) }),
    messageId: `${lead.lead_id}.${template.id}`,
    ...(link !== null && { token: lead.token }),
  };
}

const LINK = `$$${LINK_MACRO}$$`;

/** A line with other macros stays: the mail may say nothing else of the lead. */
const withoutLinkLines = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.includes(LINK) || line.replaceAll(LINK, '').includes('$$'))
    .join('\n');
