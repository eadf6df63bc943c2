/**
 * The environment variables, one schema per group. A function's schema is the union of the groups it uses; CDK types
 * its `environment` property by the same schema, so a variable that is forgotten there does not compile.
 */
import * as z from 'zod/mini';

const required = z.string().check(z.minLength(1));
const optional = z.optional(required);

export const tableEnvironment = z.object({
  TABLE_NAME: required,
  /** Only outside the cloud. */
  DYNAMODB_ENDPOINT: optional,
});

/**
 * The keys by which sessions are signed and secrets encrypted: in the cloud a secret's ARN, locally the JSON itself.
 */
export const keyEnvironment = z.object({ KEYS_ARN: optional, KEYS_JSON: optional });

export const linkEnvironment = z.object({
  /** Where the web app is reached, without a trailing slash: `https://leads.example.com`. */
  PUBLIC_BASE_URL: z.url(),
});

export const siteGateEnvironment = z.object({
  /**
   * CloudFront key pair for the signed cookies of the admin build: its id and the secret that holds the private key.
   */
  CLOUDFRONT_KEY_PAIR_ID: optional,
  CLOUDFRONT_KEY_ARN: optional,
  CLOUDFRONT_PRIVATE_KEY: optional,
});

export const originEnvironment = z.object({
  /** Where the accepted values of `x-origin-verify` are, divided by commas; unset where there is no CloudFront. */
  ORIGIN_SECRET_ARN: optional,
  ORIGIN_SECRET: optional,
});

export const queueEnvironment = z.object({
  DELIVER_QUEUE_URL: required,
  NOTIFY_QUEUE_URL: required,
  CALLBACK_QUEUE_URL: required,
  REDISTRIBUTE_QUEUE_URL: required,
  DISTRIBUTE_QUEUE_URL: required,
  /** Only outside the cloud. */
  SQS_ENDPOINT: optional,
});

export const deadLetterEnvironment = z.object({
  /** Where the deliver worker reports a delivery that failed for good: its alarm watches this queue. */
  DELIVER_DLQ_URL: optional,
});

export const exportEnvironment = z.object({
  /** Files too large for a response are stored here and downloaded by a short-lived link. */
  EXPORT_BUCKET: required,
  /** Only outside the cloud. */
  S3_ENDPOINT: optional,
});

export const erasureEnvironment = z.object({
  /** Where the ids of erased leads are kept, outside the table; only in the cloud. */
  ERASED_BUCKET: optional,
});

export const partnerEnvironment = z.object({
  /** Called in place of the addresses of the presets (shared/channels); only outside the cloud. */
  HEROLEADS_API_URL: z.optional(z.url()),
  SELLANYLEAD_API_URL: z.optional(z.url()),
  TRACKBOX_SCHEME: z._default(z.enum(['https', 'http']), 'https'),
  TRACKBOX_PHONE_PLUS: z._default(z.enum(['0', '1']), '0'),
  PUSHOVER_API_URL: z._default(z.url(), 'https://api.pushover.net/1'),
  /** 1 lets partner and mail hosts resolve to private addresses; only outside the cloud. */
  ALLOW_PRIVATE_HOSTS: z._default(z.enum(['0', '1']), '0'),
});

export const deliveryEnvironment = z.object({
  /** Calls to one destination at once, over all workers: 1 to 999; unset: as `createDestinationLeases` has it. */
  LEASES_PER_DESTINATION: z.optional(z.string().check(z.regex(/^[1-9]\d{0,2}$/))),
});

export const verificationEnvironment = z.object({
  ZEROBOUNCE_API_URL: z._default(z.url(), 'https://api.zerobounce.net/v2'),
  ZEROBOUNCE_API_KEY: optional,
  TWILIO_LOOKUP_API_URL: z._default(z.url(), 'https://lookups.twilio.com/v2'),
  /** `sid:secret` */
  TWILIO_LOOKUP_API_KEY: optional,
  NAMEAPI_API_URL: z._default(z.url(), 'https://api.nameapi.org/rest/v5.3'),
  NAMEAPI_API_KEY: optional,
  /** 1: a lead with an uncertain verification result becomes pending as `verification_unavailable`. */
  VERIFICATION_MUST_BE_CERTAIN: z._default(z.enum(['0', '1']), '0'),
});

export const mailEnvironment = z.object({
  /** The sender of the platform's own e-mails; without it none is sent. */
  SES_FROM: optional,
  SES_ENDPOINT: optional,
});

export const operatorEnvironment = z.object({
  /** Where the platform reports a delivery that failed for good. */
  OPERATOR_EMAIL: optional,
  ...mailEnvironment.shape,
});

export const headEnvironment = z.object({
  /** Where heads of the audit trail's chain are kept. */
  AUDIT_HEADS_BUCKET: optional,
  /** Instead of the bucket; only outside the cloud. */
  AUDIT_HEADS_FILE: optional,
});

/** Every variable of every function: what the local runtime sets once for all of them. */
export const environment = z.object({
  ...tableEnvironment.shape,
  ...keyEnvironment.shape,
  ...linkEnvironment.shape,
  ...siteGateEnvironment.shape,
  ...originEnvironment.shape,
  ...queueEnvironment.shape,
  ...deadLetterEnvironment.shape,
  ...exportEnvironment.shape,
  ...partnerEnvironment.shape,
  ...deliveryEnvironment.shape,
  ...erasureEnvironment.shape,
  ...verificationEnvironment.shape,
  ...operatorEnvironment.shape,
  ...headEnvironment.shape,
});
export type Environment = z.output<typeof environment>;

/**
 * Reads a function's environment variables. `jitless`: as it is read once per process, compiling a parser does not pay.
 * @throws $ZodError naming every variable that is missing or wrong
 */
export function readEnvironment<Schema extends z.ZodMiniType>(schema: Schema): z.output<Schema> {
  return schema.parse(process.env, { jitless: true });
}
