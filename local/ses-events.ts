/** Events as SES and EventBridge put them on the queue `bounces`. */
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Mail } from '#local/mail';

/** @param id the message ID of SES */
export function bounceEvent(mail: Pick<Mail, 'to' | 'messageId'>, id: string, at: Date) {
  return {
    eventType: 'Bounce',
    bounce: {
      feedbackId: `feedback-${id}`,
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: mail.to.map((emailAddress) => ({
        emailAddress,
        action: 'failed',
        status: '5.1.1',
        diagnosticCode: `smtp; 550 5.1.1 <${emailAddress}>: user unknown`,
      })),
      timestamp: at.toISOString(),
    },
    mail: {
      timestamp: at.toISOString(),
      messageId: id,
      destination: mail.to,
      headersTruncated: false,
      headers: [
        { name: 'To', value: mail.to.join(', ') },
        ...(mail.messageId === undefined ? [] : [{ name: 'Message-ID', value: mail.messageId }]),
      ],
    },
  };
}

export async function publish(client: SQSClient, QueueUrl: string, event: object): Promise<void> {
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(event) }));
}
