import type { Stack } from 'aws-cdk-lib';
import { PublicHostedZone } from 'aws-cdk-lib/aws-route53';
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import type { StageConfig } from '#cdk/config';

/** Creates the SES identities for the platform's own e-mail, if the stage has any. */
export function createMailIdentities(stack: Stack, { mail, domain }: StageConfig): void {
  if (mail === undefined) return;
  if (mail.identity === 'domain' && domain !== undefined) {
    new EmailIdentity(stack, 'MailDomain', {
      identity: Identity.publicHostedZone(
        PublicHostedZone.fromPublicHostedZoneAttributes(stack, 'MailZone', {
          hostedZoneId: domain.zone.id,
          zoneName: domain.zone.name,
        }),
      ),
    });
    return;
  }
  for (const address of new Set([mail.from, mail.operator]))
    new EmailIdentity(stack, `Mail-${address}`, { identity: Identity.email(address) });
}
