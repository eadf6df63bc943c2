import type { Stack } from 'aws-cdk-lib';
import { EventBus, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PublicHostedZone } from 'aws-cdk-lib/aws-route53';
import {
  ConfigurationSet,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
} from 'aws-cdk-lib/aws-ses';
import type { StageConfig } from '#cdk/config-schema';
import type { WorkQueue } from '#cdk/constructs/work-queue';

/** Distinguishes the events of stages in one account. */
export const mailConfigurationSet = (prefix: string): string => `${prefix}-mail`;

/** Bounces, complaints and deliveries of its mails go to the queue `bounces`. */
export function createMailIdentities(
  stack: Stack,
  { mail, domain }: StageConfig,
  { prefix, bounces }: { readonly prefix: string; readonly bounces: WorkQueue },
): void {
  if (mail === undefined) return;
  const configurationSet = new ConfigurationSet(stack, 'MailEvents', {
    configurationSetName: mailConfigurationSet(prefix),
    reputationMetrics: true,
  });
  configurationSet.addEventDestination('ToEventBridge', {
    destination: EventDestination.eventBus(EventBus.fromEventBusName(stack, 'DefaultBus', 'default')),
    events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT, EmailSendingEvent.DELIVERY],
  });
  new Rule(stack, 'MailEventsToQueue', {
    description: 'Sends bounces, complaints and deliveries of e-mails to their worker',
    eventPattern: {
      source: ['aws.ses'],
      detailType: ['Email Bounced', 'Email Complaint Received', 'Email Delivered'],
      detail: { mail: { tags: { 'ses:configuration-set': [mailConfigurationSet(prefix)] } } },
    },
    targets: [
      new SqsQueue(bounces.queue, {
        message: RuleTargetInput.fromEventPath('$.detail'),
        deadLetterQueue: bounces.deadLetters,
      }),
    ],
  });
  const identity = (id: string, of: Identity) =>
    new EmailIdentity(stack, id, { identity: of, configurationSet });
  if (mail.identity === 'domain' && domain !== undefined) {
    const zone = PublicHostedZone.fromPublicHostedZoneAttributes(stack, 'MailZone', {
      hostedZoneId: domain.zone.id,
      zoneName: domain.zone.name,
    });
    identity('MailDomain', Identity.publicHostedZone(zone));
    return;
  }
  for (const address of new Set([mail.from, mail.operator]))
    identity(`Mail-${address}`, Identity.email(address));
}
