/** CDK types each function's `environment` by its schema here, so a missing variable does not compile. */
import * as z from 'zod/mini';

const required = z.string().check(z.minLength(1));
const optional = z.optional(required);

export const tableEnvironment = z.object({
  TABLE_NAME: required,
  DYNAMODB_ENDPOINT: optional,
});

export const keyEnvironment = z.object({ KEYS_ARN: optional, KEYS_JSON: optional });

export const linkEnvironment = z.object({
  /** Without a trailing slash: `https://leads.example.com`. */
  PUBLIC_BASE_URL: z.url(),
});

export const siteGateEnvironment = z.object({
  /** Key pair ID and the secret that holds its private key. */
  CLOUDFRONT_KEY_PAIR_ID: optional,
  CLOUDFRONT_KEY_ARN: optional,
  CLOUDFRONT_PRIVATE_KEY: optional,
});

export const originEnvironment = z.object({
  /** ARNs divided by commas; unset without CloudFront. */
  ORIGIN_SECRET_ARN: optional,
  ORIGIN_SECRET: optional,
});

/** The queues of what is sent to others. */
export const sendingQueueEnvironment = z.object({
  DELIVER_QUEUE_URL: required,
  NOTIFY_QUEUE_URL: required,
  CALLBACK_QUEUE_URL: required,
  SQS_ENDPOINT: optional,
});

export const queueEnvironment = z.object({
  ...sendingQueueEnvironment.shape,
  REDISTRIBUTE_QUEUE_URL: required,
  DISTRIBUTE_QUEUE_URL: required,
});

export const deadLetterEnvironment = z.object({
  /** An alarm watches this queue for failed deliveries. */
  DELIVER_DLQ_URL: optional,
});

export const exportEnvironment = z.object({ EXPORT_BUCKET: required, S3_ENDPOINT: optional });

export const erasureEnvironment = z.object({
  /** Keeps the IDs of erased leads outside the table; only in the cloud. */
  ERASED_BUCKET: optional,
});

/** 1 allows private addresses of partners and mail servers; only outside the cloud. */
const ALLOW_PRIVATE_HOSTS = z._default(z.enum(['0', '1']), '0');

export const partnerEnvironment = z.object({
  HEROLEADS_API_URL: z.optional(z.url()),
  SELLANYLEAD_API_URL: z.optional(z.url()),
  TRACKBOX_SCHEME: z._default(z.enum(['https', 'http']), 'https'),
  TRACKBOX_PHONE_PLUS: z._default(z.enum(['0', '1']), '0'),
  ALLOW_PRIVATE_HOSTS,
});

export const pushEnvironment = z.object({
  PUSHOVER_API_URL: z._default(z.url(), 'https://api.pushover.net/1'),
  ALLOW_PRIVATE_HOSTS,
});

export const deliveryEnvironment = z.object({
  /** 1 to 999, over all workers; unset: the default of `createDestinationLeases`. */
  LEASES_PER_DESTINATION: z.optional(z.string().check(z.regex(/^[1-9]\d{0,2}$/))),
});

/** Results are stored under a hash with the key. */
export const providerKeyEnvironment = z.object({
  ZEROBOUNCE_API_KEY: optional,
  /** `sid:secret` */
  TWILIO_LOOKUP_API_KEY: optional,
  NAMEAPI_API_KEY: optional,
});

export const providerEnvironment = z.object({
  ...providerKeyEnvironment.shape,
  ZEROBOUNCE_API_URL: z._default(z.url(), 'https://api.zerobounce.net/v2'),
  TWILIO_LOOKUP_API_URL: z._default(z.url(), 'https://lookups.twilio.com/v2'),
  NAMEAPI_API_URL: z._default(z.url(), 'https://api.nameapi.org/rest/v5.3'),
});

export const verificationEnvironment = z.object({
  ...providerEnvironment.shape,
  /** 1: a lead with an uncertain result becomes pending as `verification_unavailable`. */
  VERIFICATION_MUST_BE_CERTAIN: z._default(z.enum(['0', '1']), '0'),
});

export const distributionEnvironment = z.object({
  ...tableEnvironment.shape,
  ...verificationEnvironment.shape,
});

/** Addresses and keys of services that others run. */
export const outsideEnvironment = z.object({
  ...partnerEnvironment.shape,
  ...pushEnvironment.shape,
  ...verificationEnvironment.shape,
});

export const mailEnvironment = z.object({
  /** The sender of the platform's own e-mails; without it none is sent. */
  SES_FROM: optional,
  SES_ENDPOINT: optional,
});

export const operatorEnvironment = z.object({
  OPERATOR_EMAIL: optional,
  ...mailEnvironment.shape,
});

export const checkpointEnvironment = z.object({
  AUDIT_CHECKPOINTS_BUCKET: optional,
  AUDIT_CHECKPOINTS_FILE: optional,
});

export const environment = z.object({
  ...tableEnvironment.shape,
  ...keyEnvironment.shape,
  ...linkEnvironment.shape,
  ...siteGateEnvironment.shape,
  ...originEnvironment.shape,
  ...queueEnvironment.shape,
  ...deadLetterEnvironment.shape,
  ...exportEnvironment.shape,
  ...outsideEnvironment.shape,
  ...deliveryEnvironment.shape,
  ...erasureEnvironment.shape,
  ...operatorEnvironment.shape,
  ...checkpointEnvironment.shape,
});
export type Environment = z.output<typeof environment>;

/** `jitless`, because compiling a parser takes longer than a single parse. @throws $ZodError naming every wrong variable */
export function readEnvironment<Schema extends z.ZodMiniType>(schema: Schema): z.output<Schema> {
  return schema.parse(process.env, { jitless: true });
}
