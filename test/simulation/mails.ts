/** SES events about bounced e-mails. */
import type { Item } from '#functions/data/table/table';
import type { TableModel } from '#test/simulation/table-model';

/**
 * @param lead whose e-mail it was
 * @param id the server's ID of the e-mail
 */
export function bounceEvent(lead: string, id: string, at: Date): object {
  return {
    eventType: 'Bounce',
    bounce: {
      feedbackId: `feedback-${id}`,
      bounceType: 'Permanent',
      bouncedRecipients: [{ emailAddress: 'buyer@example.org', status: '5.1.1' }],
      timestamp: at.toISOString(),
    },
    mail: { messageId: id, headers: [{ name: 'Message-ID', value: `<${lead}.1@example.org>` }] },
  };
}

interface Mails {
  readonly bounced: ReadonlySet<string>;
  readonly dead: readonly { readonly body: string }[];
  readonly table: TableModel;
}

/** A lead with a bounced e-mail is not delivered, unless it was resent or deleted, or the event was dropped. */
export function ofMails({ bounced, dead, table }: Mails, items: readonly Item[]): string[] {
  const isThere = (lead: unknown) =>
    table.partition(`LEAD#${String(lead)}`).some(({ sk, status }) => sk === 'LEAD' && status === 'assigned');
  return items.flatMap(({ sk, lead_id, external_id, status }) =>
    sk === 'DELIVERY#email' &&
    status === 'delivered' &&
    isThere(lead_id) &&
    bounced.has(String(external_id)) &&
    !dead.some(({ body }) => body.includes(`"${String(external_id)}"`))
      ? [`the mail ${String(external_id)} of lead ${String(lead_id)} bounced, and counts as delivered`]
      : [],
  );
}
