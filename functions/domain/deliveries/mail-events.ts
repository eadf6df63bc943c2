/**
 * SES events about an accepted e-mail: bounce, delivery or complaint. They come at least once and in any order, and are trusted only for
 * the e-mail that they are about.
 * Format: https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */

import * as z from 'zod/mini';
import { redact } from '#functions/channels/redact';
import type { AddressContext } from '#functions/data/deliveries/address-store';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import { isOfAssignment } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import { noteEvent, noteWorks, withoutAddresses } from '#functions/domain/common/addresses';

const text = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest));
const instant = z.iso.datetime({ offset: true });
const recipient = z.object({
  emailAddress: text(320),
  status: z.optional(text(100)),
  diagnosticCode: z.optional(z.string()),
});
const MAX_RECIPIENTS = 50;
const recipients = z.array(recipient).check(z.maxLength(MAX_RECIPIENTS));
const mail = z.object({
  messageId: text(200),
  headers: z.catch(z.array(z.object({ name: z.string(), value: z.string() })), []),
});

const mailEventSchema = z.discriminatedUnion('eventType', [
  z.object({
    eventType: z.literal('Bounce'),
    mail,
    bounce: z.object({
      feedbackId: text(200),
      bounceType: z.enum(['Permanent', 'Transient', 'Undetermined']),
      bouncedRecipients: recipients,
      timestamp: instant,
    }),
  }),
  z.object({
    eventType: z.literal('Complaint'),
    mail,
    complaint: z.object({
      feedbackId: text(200),
      complaintFeedbackType: z.optional(z.nullable(z.string())),
      complainedRecipients: recipients,
      timestamp: instant,
    }),
  }),
  z.object({
    eventType: z.literal('Delivery'),
    mail,
    delivery: z.object({
      recipients: z.array(text(320)).check(z.maxLength(MAX_RECIPIENTS)),
      timestamp: instant,
    }),
  }),
]);
export type MailEvent = z.output<typeof mailEventSchema>;

export const readMailEvent = (value: unknown): MailEvent | undefined => mailEventSchema.safeParse(value).data;

/** A hard bounce fails the delivery of its lead. @throws Error if the attempt is not recorded yet; the event is then received again */
export async function noteMailEvent(context: AddressContext, event: MailEvent): Promise<void> {
  switch (event.eventType) {
    case 'Delivery': {
      const { recipients: reached, timestamp } = event.delivery;
      for (const email of reached) await noteWorks(context, email, utc(timestamp));
      return;
    }
    case 'Complaint': {
      const { feedbackId, complaintFeedbackType, complainedRecipients, timestamp } = event.complaint;
      // The recipient moved it out of the spam folder.
      if (complaintFeedbackType === 'not-spam') return;
      for (const { emailAddress } of complainedRecipients)
        await noteEvent(context, emailAddress, {
          id: feedbackId,
          state: 'complained',
          at: utc(timestamp),
          by: 'ses',
          code: null,
          diagnostic: null,
        });
      return;
    }
    case 'Bounce': {
      const { feedbackId, bounceType, bouncedRecipients, timestamp } = event.bounce;
      const hard = bounceType === 'Permanent';
      for (const { emailAddress, status, diagnosticCode } of bouncedRecipients)
        await noteEvent(context, emailAddress, {
          id: feedbackId,
          state: hard ? 'bounced_hard' : 'bounced_soft',
          at: utc(timestamp),
          by: 'ses',
          code: status ?? null,
          diagnostic: diagnosticCode === undefined ? null : redact(diagnosticCode),
        });
      const [first] = bouncedRecipients;
      if (hard) await failDelivery(context, event.mail, first?.diagnosticCode ?? first?.status ?? null);
      return;
    }
  }
}

const utc = (timestamp: string) => new Date(timestamp).toISOString();

/** The Message-ID names the lead, SES's own ID the attempt. */
async function failDelivery(
  context: AddressContext,
  { messageId, headers }: MailEvent['mail'],
  diagnostic: string | null,
): Promise<void> {
  const own = headers.find(({ name }) => name.toLowerCase() === 'message-id')?.value ?? '';
  const leadId = /^<?([0-9A-Z]{26})\./.exec(own)?.[1];
  if (leadId === undefined) return;
  const [delivery, lead] = await Promise.all([
    deliveryStore.get(context, leadId, 'email'),
    leadStore.get(context, leadId),
  ]);
  if (delivery === undefined || lead === undefined || !isOfAssignment(delivery, lead)) return;
  if (delivery.status !== 'delivered' || delivery.external_id !== messageId) {
    if (delivery.sending_until === undefined) return;
    throw new Error('The attempt that sent the mail is not recorded yet');
  }
  const now = context.runtime.now();
  const why = diagnostic === null ? '' : `: ${withoutAddresses(redact(diagnostic))}`;
  if (!(await deliveryStore.bounced(context, delivery, `The e-mail bounced${why}`, now))) return;
  context.runtime.log.warn('delivery bounced', { lead: leadId });
  context.runtime.metrics.record('DeliveriesBounced', 1, {});
}
