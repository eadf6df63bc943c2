/**
 * The rules for a stage's configuration, checked before anything is created: AWS would reject it only ten minutes into
 * a deployment, or at the first lead.
 */
import { createPublicKey } from 'node:crypto';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import * as z from 'zod';
import { PARTNER_VARIABLES, PROVIDER_KEYS } from '#cdk/environments';
import { LEASES_PER_DESTINATION } from '#functions/data/deliveries/destination-leases';

/** Placeholder until the operator enters an address; with it a stage is not deployed. */
export const NO_ADDRESS_YET = 'no-address-yet';

/** A key group of CloudFront holds no more. */
const MAX_GENERATIONS = 5;
/** https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-high-level-settings.html */
const FIREWALL_LIMITS = { least: 10, most: 2_000_000_000 } as const;
/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
const MOST_WORKERS_OF_A_QUEUE = 1000;

/** A late discovery must find its copy; the vault keeps every copy this long (backup-vault-stack.ts). */
export const LEAST_BACKUP_DAYS = 30;
const LEAST_KEY_BITS = 3072;

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

/** A secret of which several generations are valid at once, for its rotation (docs/operations/secrets-rotation.md). */
const generations = z
  .strictObject({
    accepted: z.array(positive).min(1).max(MAX_GENERATIONS),
    current: positive,
  })
  .refine(({ accepted }) => new Set(accepted).size === accepted.length, 'An accepted generation is repeated')
  .refine(
    ({ accepted, current }) => accepted.includes(current),
    'The current generation is not among the accepted ones',
  );
export type Generations = z.output<typeof generations>;

const domain = z
  .strictObject({
    name: hostName.max(MAX_CERTIFICATE_NAME),
    zone: z.strictObject({
      id: z.string().regex(/^Z[A-Z0-9]{1,31}$/, 'is not a hosted zone ID'),
      name: hostName,
    }),
  })
  .refine(({ name, zone }) => isWithin(name, zone.name), 'The name is not in its hosted zone');

const account = z.string().regex(/^\d{12}$/, 'is not a twelve-digit account');

const stageSchema = z
  .strictObject({
    /** By default the account of the credentials. */
    account: account.exactOptional(),
    /** Names the bootstrap of the stage (`cdk bootstrap --qualifier`), whose roles deploy this stage and no other. */
    qualifier: z.string().regex(/^[a-z0-9]{1,10}$/, 'must be one to ten lower-case letters and digits'),
    /** For everything except certificate and firewall, which CloudFront requires in us-east-1. */
    region: z.enum(regions),
    /** False only where losing all data is acceptable: deleting the stack then deletes table, keys and files. */
    keepsData: z.boolean(),
    /** Alarms, dashboard and their metrics: 20 dollars a month. Without them an unused stage costs 4 (docs/operations/costs.md). */
    watched: z.boolean(),
    /** By default the distribution's own address. */
    domain: domain.exactOptional(),
    /** Without it the platform sends no system e-mail. Deliveries to buyers are not affected. */
    mail: z
      .strictObject({
        from: z.email(),
        operator: z.email(),
        /** `domain` is verified by DKIM records in `domain.zone`, `address` (both of them) by a link in an e-mail. */
        identity: z.enum(['domain', 'address']),
      })
      .exactOptional(),
    /** Where alarms go. Without it they only show in the console. With `NO_ADDRESS_YET` the stage cannot be deployed. */
    alarmEmail: z.union([z.literal(NO_ADDRESS_YET), z.email()]).exactOptional(),
    /** Requests in five minutes from one address after which it is refused. About 9 dollars a month. */
    firewall: z
      .strictObject({
        requests: z.int().min(FIREWALL_LIMITS.least).max(FIREWALL_LIMITS.most),
        logins: z.int().min(FIREWALL_LIMITS.least).max(FIREWALL_LIMITS.most),
      })
      .exactOptional(),
    /** Dollars for the whole account: costs by tag need a setting that only the owner of the bill can make. */
    monthlyBudget: z.number().positive().exactOptional(),
    /**
     * Units a second above which the table, and for reads each index, refuses. A unit is a write of 1 KB or a read of 4 KB;
     * 4,000 writes are 216 dollars a day.
     */
    mostTableUnits: z.strictObject({ read: positive, write: positive }),
    /** Requests a second of the API's routes. Above the burst callers get 429. */
    throttle: z.strictObject({ rate: z.number().positive(), burst: positive }),
    /** How many deliveries run at once. Must exceed `leasesPerDestination`, because one hanging destination holds that many. */
    parallelDeliveries: z.int().min(2).max(MOST_WORKERS_OF_A_QUEUE),
    /** Calls to one mail server or partner at once, 8 without it: the first limit that a growing load reaches (docs/operations/limits.md). */
    leasesPerDestination: positive.max(MOST_LEASES).exactOptional(),
    /** Whether new versions of `leads` and `deliver` get a tenth of the calls for five minutes first. */
    canary: z.boolean(),
    logDays: z.enum(RetentionDays),
    siteGateKeys: generations,
    originSecrets: generations,
    /** Raised by one: a new session key (everyone logs in again), and a new encryption key in front of the old ones. */
    applicationKeys: positive,
    /** Addresses and switches; the defaults are in functions/platform/environment.ts. */
    partners: z.partialRecord(z.enum(PARTNER_VARIABLES), z.string().min(1)),
    /** A secret made by hand, its API keys, and a number to raise when they change (docs/operations/secrets-rotation.md). */
    providerKeys: z
      .strictObject({
        secretName: z.string().regex(/^[A-Za-z0-9/_+=.@-]{1,512}$/, 'is not a secret name'),
        generation: positive,
        keys: z.array(z.enum(PROVIDER_KEYS)).min(1),
      })
      .exactOptional(),
    /** A daily copy of the table in another account and region, with the application's keys in it (docs/operations/backups.md). */
    backup: z
      .strictObject({
        account,
        region: z.enum(regions),
        keepDays: z.int().min(LEAST_BACKUP_DAYS),
        /** RSA, as PEM. It encrypts the application's keys; the private half is stored outside AWS. */
        publicKey: z
          .string()
          .refine(isStrongRsaKey, `is not a PEM public RSA key of at least ${LEAST_KEY_BITS} bits`),
      })
      .exactOptional(),
    /** A table restored to a point in time, used instead of the stack's own (docs/operations/restore-table.md). */
    restoredTable: z
      .strictObject({ name: z.string().regex(/^[A-Za-z0-9_.-]{3,255}$/), streamArn: z.string() })
      .exactOptional(),
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
      wrong(['parallelDeliveries'], 'One hanging destination would hold every delivery');
    if (stage.backup !== undefined && stage.account === undefined)
      wrong(['account'], 'The vault accepts only copies of this account');
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

export type StageConfig = Readonly<z.output<typeof stageSchema>>;

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

export function checkConfig(stage: string, config: StageConfig): void {
  const parsed = stageSchema.safeParse(config);
  if (!parsed.success)
    throw new Error(
      `The configuration of ${stage} (cdk/config.ts) is wrong:\n${z.prettifyError(parsed.error)}`,
    );
}
