/** Pushes to admins in English, e-mails to buyers in German. */
import { shorten } from '#functions/channels/redact';
import { readableAmount } from '#functions/channels/values';
import type { Company } from '#functions/data/administration/company';
import { displayId, type Lead } from '#functions/data/leads/lead';
import type { Order } from '#functions/data/orders/order';
import type { NotificationTexts, PushSubject } from '#functions/domain/deliveries/notifications';
import { confirmationLinkOf, consentLinkOf, linkOf, unsubscribeLinks } from '#functions/platform/links';
import { STATEMENT_QUERY } from '#shared/contract/web-headers';
import { postalLines } from '#shared/rules/company';
import type { ErasurePurpose } from '#shared/rules/constants';
import { formatDateTime } from '#shared/rules/formats';
import { fillMacros, type PUSH_MACROS } from '#shared/rules/macros';
import { orderNumberText } from '#shared/rules/order-texts';
import { pendingReasonText } from '#shared/rules/reasons';

const MAX_NOTES_CHARACTERS = 2000;

export function createTexts(publicBaseUrl: string, company: Company): NotificationTexts {
  const linkEmail = (
    about: Parameters<NotificationTexts['link']>[0]['about'],
    code: string,
    order: Pick<Order, 'token' | 'buyer_order_number' | 'lead_limit' | 'leads_received'>,
  ): { readonly subject: string; readonly lines: readonly string[] } => {
    const number = orderNumberText(order.buyer_order_number);
    const list = `Lead-Liste ${number}`;
    const link = linkOf(publicBaseUrl, order) ?? '';
    const unasked = ['', 'Wenn Sie das nicht angefordert haben, brauchen Sie nichts zu tun.'];
    switch (about) {
      case 'link_code':
        return {
          subject: `Ihr Code zur ${list}`,
          lines: [
            `Ihr Code für die ${list}: ${code.slice(0, 4)} ${code.slice(4)}`,
            '',
            'Er gilt zehn Minuten. Geben Sie ihn nur auf der Seite ein, die Sie selbst geöffnet haben.',
            ...unasked,
          ],
        };
      case 'link_regenerated':
        return {
          subject: `Ihr neuer Link zur ${list}`,
          lines: [
            `Ihr neuer Link zur ${list}:`,
            link,
            '',
            'Der bisherige Link funktioniert nicht mehr.',
            ...unasked,
          ],
        };
      case 'order_renewed':
        return {
          subject: `Ihre Bestellung ${number} ist eröffnet`,
          lines: [
            `Ihre vorherige Bestellung ist vollständig geliefert. Die nächste über ${order.lead_limit} Leads ist eröffnet.`,
            '',
            `Ihr Link zur ${list}:`,
            link,
          ],
        };
      case 'order_nearly_full':
        return {
          subject: `Ihre Bestellung ${number} ist fast vollständig`,
          lines: [
            `${order.leads_received} von ${order.lead_limit} Leads Ihrer Bestellung ${number} sind geliefert.`,
            '',
            `Ihre ${list}:`,
            link,
          ],
        };
      case 'weekly_statement':
        return {
          subject: 'Ihre Abrechnung der Woche',
          lines: [
            'Ihre Abrechnung, nach Bestellungen und Monaten, mit den Leads und Reklamationen der letzten Woche:',
            `${link}?${STATEMENT_QUERY}`,
          ],
        };
      case 'statement':
        return {
          subject: 'Ihre Abrechnung',
          lines: [
            'Ihre Abrechnung, nach Bestellungen und Monaten, auch zum Drucken und als XLSX oder CSV:',
            `${link}?${STATEMENT_QUERY}`,
          ],
        };
    }
  };

  /** Of every e-mail to a buyer or a person. */
  const footer = (unsubscribe?: string): readonly string[] => {
    const parts = [
      unsubscribe === undefined
        ? []
        : [`Diese E-Mails abbestellen: ${unsubscribeLinks(publicBaseUrl, unsubscribe).page}`],
      companyLines(company),
    ].filter((part) => part.length > 0);
    return parts.flatMap((part, index) => ['', ...(index === 0 ? ['--'] : []), ...part]);
  };
  const header = (unsubscribe: string | undefined) =>
    unsubscribe === undefined ? {} : { unsubscribe: unsubscribeLinks(publicBaseUrl, unsubscribe).oneClick };

  return {
    push(subject, { lead, buyer, template, at }) {
      const values: Record<(typeof PUSH_MACROS)[number], string> = {
        status: subject.about === 'claim' ? 'claimed' : subject.about,
        anrede: lead.anrede,
        vorname: lead.vorname,
        nachname: lead.nachname,
        email: lead.email,
        telefon: lead.telefon,
        anlagebetrag: readableAmount(lead.anlagebetrag),
        src: lead.src ?? '',
        buyer_id: buyer?.buyer_id ?? '',
        buyer_email: buyer?.buyer_email ?? '',
        date: formatDateTime(at),
      };
      const text = fillMacros(template, values);
      return {
        title: titleOf(subject, lead),
        message: subject.about === 'claim' ? `${subject.claim?.claim_reason ?? ''}\n${text}` : text,
      };
    },

    link({ about, code, order, buyer, request, unsubscribe }) {
      const { subject, lines } = linkEmail(about, code, order);
      return {
        to: buyer.buyer_email,
        subject,
        text: ['Guten Tag,', '', ...lines, ...footer(unsubscribe), ''].join('\n'),
        messageId: `link-${request}`,
        ...header(unsubscribe),
      };
    },

    decision({ claim, lead, buyer, order, unsubscribe }) {
      const approved = claim.claim_status === 'approved';
      const decision = approved ? 'genehmigt' : 'abgelehnt';
      const again = claim.reversed_at !== undefined;
      const link = linkOf(publicBaseUrl, order);
      const replaced = approved && order?.buyer_type === 'prepay';
      return {
        to: buyer.buyer_email,
        subject: `Reklamation #${claim.claim_id} ${decision}`,
        text: [
          'Guten Tag,',
          '',
          `Ihre Reklamation #${claim.claim_id} zum Lead ${numberOf(lead)} wurde ${again ? 'nach erneuter Prüfung ' : ''}${decision}.`,
          '',
          `Reklamationsgrund: ${claim.claim_reason}`,
          ...(claim.admin_notes ? [`Anmerkung: ${shorten(claim.admin_notes, MAX_NOTES_CHARACTERS)}`] : []),
          ...(replaced ? ['', 'Sie erhalten dafür einen Ersatzlead.'] : []),
          ...(link === null ? [] : ['', `Ihre Lead-Liste: ${link}`]),
          ...footer(unsubscribe),
          '',
        ].join('\n'),
        messageId: `claim-${claim.claim_id}.${lead.lead_id}${again ? '.reversed' : ''}`,
        ...header(unsubscribe),
      };
    },

    confirmation: ({ lead_id, request, to, wording, confirm, withdraw, by }) => ({
      to,
      subject: 'Bitte bestätigen Sie Ihre Einwilligung',
      text: [
        'Guten Tag,',
        '',
        'mit dieser E-Mail-Adresse wurde eine Anfrage gesendet und dabei diese Einwilligung erteilt:',
        '',
        ...wording.split('\n').map((line) => `> ${line}`),
        '',
        'Bitte bestätigen Sie sie hier, dann bearbeiten wir Ihre Anfrage:',
        consentLinkOf(publicBaseUrl, confirm, 'confirm'),
        '',
        `Der Link gilt bis ${formatDateTime(by)}. Danach löschen wir Ihre Angaben.`,
        '',
        'Die Anfrage ist nicht von Ihnen, oder Sie möchten die Einwilligung widerrufen?',
        consentLinkOf(publicBaseUrl, withdraw, 'withdraw'),
        ...footer(),
        '',
      ].join('\n'),
      messageId: `consent-${lead_id}${request}`,
    }),

    alert: ({ lines }) => ({ text: [...lines, '', `${publicBaseUrl}/dashboard`, ''].join('\n') }),

    erasure({ recipient: { erasure_id, purpose, buyer: number, leads }, buyer, token, email_number }) {
      const asked = ASKED[purpose];
      return {
        to: buyer.buyer_email,
        subject: email_number === 1 ? asked.subject : asked.reminder,
        text: [
          'Guten Tag,',
          '',
          ...asked.lines,
          '',
          ...leads.map(
            ({ number, delivered_at, partner_ids }) =>
              `- Lead ${number}, geliefert am ${formatDateTime(new Date(delivered_at))}${
                partner_ids.length === 0 ? '' : `, Ihre Nummer: ${partner_ids.join(', ')}`
              }`,
          ),
          '',
          asked.confirm,
          confirmationLinkOf(publicBaseUrl, token),
          ...footer(),
          '',
        ].join('\n'),
        messageId: `${purpose}-${erasure_id}.${number}.${email_number}`,
      };
    },
  };
}

const ASKED: Readonly<
  Record<
    ErasurePurpose,
    Readonly<Record<'subject' | 'reminder' | 'confirm', string> & { lines: readonly string[] }>
  >
> = {
  erasure: {
    subject: 'Bitte löschen: Daten einer Person',
    reminder: 'Erinnerung: Daten einer Person löschen',
    lines: [
      'eine Person, deren Daten Sie von uns erhalten haben, hat ihre Löschung verlangt. Bitte löschen Sie alles,',
      'was Sie zu diesen Leads gespeichert haben (Art. 17, 19 DSGVO):',
    ],
    confirm: 'Bitte bestätigen Sie die Löschung hier:',
  },
  withdrawal: {
    subject: 'Bitte nicht mehr kontaktieren: Einwilligung widerrufen',
    reminder: 'Erinnerung: Einwilligung widerrufen',
    lines: [
      'eine Person, deren Daten Sie von uns erhalten haben, hat ihre Einwilligung widerrufen (Art. 7 Abs. 3 DSGVO).',
      'Bitte rufen Sie sie nicht mehr an und schreiben Sie ihr nicht mehr. Es geht um diese Leads:',
    ],
    confirm: 'Bitte bestätigen Sie hier, dass Sie die Person nicht mehr kontaktieren:',
  },
};

function companyLines(company: Company): readonly string[] {
  const links = [
    ['Impressum', company.imprint_url],
    ['Datenschutz', company.privacy_url],
    ['Kontakt zum Datenschutz', company.privacy_contact],
  ] as const;
  return [
    ...postalLines(company),
    ...links.flatMap(([label, value]) => (value === '' ? [] : [`${label}: ${value}`])),
  ];
}

function titleOf(subject: PushSubject, lead: Lead): string {
  switch (subject.about) {
    case 'assigned':
      return `Lead ${numberOf(lead)} assigned`;
    case 'ineligible':
      return `Lead ineligible${lead.reason === undefined ? '' : `: ${pendingReasonText(lead.reason)}`}`;
    case 'claim':
      return `New claim #${lead.claim_id} for lead ${numberOf(lead)}`;
  }
}

function numberOf(lead: Pick<Lead, 'order_id' | 'sequence' | 'lead_id'>): string {
  return lead.order_id === undefined || lead.sequence === undefined
    ? lead.lead_id
    : displayId({ order_id: lead.order_id, sequence: lead.sequence });
}
