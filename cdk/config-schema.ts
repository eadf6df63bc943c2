/**
 * The rules for a stage's configuration. `cdk` runs without the compiler, and what only the cloud refuses is found out ten
 * minutes into a deployment, or when the first lead comes; so every rule is checked before anything is made.
 */
import { createPublicKey } from 'node:crypto';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import * as z from 'zod';
import { NO_ADDRESS_YET, type StageConfig } from '#cdk/config';
import { PARTNER_VARIABLES, PROVIDER_KEYS } from '#cdk/environments';
import { LEASES_PER_DESTINATION } from '#functions/data/deliveries/destination-leases';

/** A key group of CloudFront holds no more. */
const MAX_GENERATIONS = 5;
/** https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-high-level-settings.html */
const FIREWALL_LIMITS = { least: 10, most: 2_000_000_000 } as const;
/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
const MOST_WORKERS_OF_A_QUEUE = 1000;

/** What is noticed late must still be there, and the vault keeps every copy for that long (backup-vault-stack.ts). */
export const LEAST_BACKUP_DAYS = 30;
const LEAST_KEY_BITS = 3072;

/** As functions/platform/environment.ts takes it. */
const MOST_LEASES = 999;

const regions = RegionInfo.regions
  .filter(({ name, partition }) => partition === 'aws' && /^[a-z]+-[a-z-]+-\d$/.test(name))
  .map(({ name }) => name);
const positive = z.int().min(1);
/** Of the name that a certificate is made for: https://docs.aws.amazon.com/acm/latest/APIReference/API_RequestCertificate.html */
const MAX_CERTIFICATE_NAME = 64;
const hostName = z
  .string()
  .regex(
    /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    'is not a lower-case host name',
  );

const generations = z
  .strictObject({ accepted: z.array(positive).min(1).max(MAX_GENERATIONS), current: positive })
  .refine(({ accepted }) => new Set(accepted).size === accepted.length, 'An accepted generation is repeated')
  .refine(
    ({ accepted, current }) => accepted.includes(current),
    'The current generation is not among the accepted ones',
  );

const domain = z
  .strictObject({
    name: hostName.max(MAX_CERTIFICATE_NAME),
    zone: z.strictObject({
      id: z.string().regex(/^Z[A-Z0-9]{1,31}$/, 'is not a hosted zone ID'),
      name: hostName,
    }),
  })
  .refine(({ name, zone }) => isWithin(name, zone.name), 'The name is not in its hosted zone');

const stageSchema = z
  .strictObject({
    account: z
      .string()
      .regex(/^\d{12}$/, 'is not a twelve-digit account')
      .optional(),
    qualifier: z.string().regex(/^[a-z0-9]{1,10}$/, 'must be one to ten lower-case letters and digits'),
    region: z.enum(regions),
    keepsData: z.boolean(),
    watched: z.boolean(),
    domain: domain.optional(),
    mail: z
      .strictObject({ from: z.email(), operator: z.email(), identity: z.enum(['domain', 'address']) })
      .optional(),
    alarmEmail: z.union([z.literal(NO_ADDRESS_YET), z.email()]).optional(),
    firewall: z
      .strictObject({
        requests: z.int().min(FIREWALL_LIMITS.least).max(FIREWALL_LIMITS.most),
        logins: z.int().min(FIREWALL_LIMITS.least).max(FIREWALL_LIMITS.most),
      })
      .optional(),
    monthlyBudget: z.number().positive().optional(),
    mostTableUnits: z.strictObject({ read: positive, write: positive }),
    throttle: z.strictObject({ rate: z.number().positive(), burst: positive }),
    parallelDeliveries: z.int().min(2).max(MOST_WORKERS_OF_A_QUEUE),
    leasesPerDestination: positive.max(MOST_LEASES).optional(),
    canary: z.boolean(),
    logDays: z.enum(RetentionDays),
    siteGateKeys: generations,
    originSecrets: generations,
    applicationKeys: positive,
    partners: z.partialRecord(z.enum(PARTNER_VARIABLES), z.string().min(1)),
    providerKeys: z
      .strictObject({
        secretName: z.string().regex(/^[A-Za-z0-9/_+=.@-]{1,512}$/, 'is not a secret name'),
        generation: positive,
        keys: z.array(z.enum(PROVIDER_KEYS)).min(1),
      })
      .optional(),
    backup: z
      .strictObject({
        account: z.string().regex(/^\d{12}$/, 'is not a twelve-digit account'),
        region: z.enum(regions),
        keepDays: z.int().min(LEAST_BACKUP_DAYS),
        publicKey: z
          .string()
          .refine(isStrongRsaKey, `is not a PEM public RSA key of at least ${LEAST_KEY_BITS} bits`),
      })
      .optional(),
    restoredTable: z
      .strictObject({ name: z.string().regex(/^[A-Za-z0-9_.-]{3,255}$/), streamArn: z.string() })
      .optional(),
  })
  .superRefine((stage, context) => {
    const { region, keepsData, watched, alarmEmail, domain: site, mail, restoredTable } = stage;
    const wrong = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (keepsData && alarmEmail === undefined)
      wrong(['alarmEmail'], 'A stage with retained data needs an address for its alarms');
    if (keepsData && !watched) wrong(['watched'], 'A stage with retained data needs its alarms');
    if (stage.monthlyBudget !== undefined && alarmEmail === undefined)
      wrong(['monthlyBudget'], 'No one would be notified: alarmEmail is missing');
    if (stage.parallelDeliveries <= (stage.leasesPerDestination ?? LEASES_PER_DESTINATION))
      wrong(['parallelDeliveries'], 'One destination that hangs would hold every delivery');
    if (stage.backup !== undefined && stage.account === undefined)
      wrong(['account'], 'The other account must know whose copies it takes');
    if (stage.backup?.account === stage.account && stage.backup !== undefined)
      wrong(['backup', 'account'], 'This is the account of the stage');
    if (stage.backup?.region === region) wrong(['backup', 'region'], 'This is the region of the stage');
    if (mail?.identity === 'domain') {
      if (site === undefined) wrong(['mail'], 'Identity "domain" needs a domain with a hosted zone');
      else if (!isWithin(mail.from.slice(mail.from.indexOf('@') + 1), site.zone.name))
        wrong(['mail', 'from'], 'The sender is not in the hosted zone by which it would be verified');
    }
    if (
      restoredTable !== undefined &&
      !new RegExp(`^arn:aws:dynamodb:${region}:\\d{12}:table/${restoredTable.name}/stream/.+$`).test(
        restoredTable.streamArn,
      )
    )
      wrong(['restoredTable', 'streamArn'], 'This is not a stream of that table in the stage’s region');
  });

function isStrongRsaKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= LEAST_KEY_BITS;
  } catch {
    return false;
  }
}

function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/** @throws Error naming the stage and every field that is wrong */
export function checkConfig(stage: string, config: StageConfig): void {
  const parsed = stageSchema.safeParse(config);
  if (!parsed.success)
    throw new Error(
      `The configuration of ${stage} (cdk/config.ts) is wrong:\n${z.prettifyError(parsed.error)}`,
    );
}
