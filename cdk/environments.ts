/** The environment of every function in the cloud, by the functions' schemas. A missing variable does not compile. */
import * as z from 'zod';
import { outsideEnvironment } from '#functions/platform/environment';
import { FUNCTION_TABLE, type FunctionName, QUEUES } from '#functions/platform/functions';

/** Never set in the cloud. */
const OUTSIDE_THE_CLOUD = [
  'DYNAMODB_ENDPOINT',
  'SQS_ENDPOINT',
  'S3_ENDPOINT',
  'SES_ENDPOINT',
  'KEYS_JSON',
  'ORIGIN_SECRET',
  'CLOUDFRONT_PRIVATE_KEY',
  'TRACKBOX_SCHEME',
  'HEROLEADS_API_URL',
  'SELLANYLEAD_API_URL',
  'ALLOW_PRIVATE_HOSTS',
  'AUDIT_CHECKPOINTS_FILE',
] as const;
type OutsideTheCloud = (typeof OUTSIDE_THE_CLOUD)[number];

type Shapes = (typeof FUNCTION_TABLE)[FunctionName]['environment']['shape'];
type VariableOf<Shape> = Shape extends object ? Exclude<keyof Shape & string, OutsideTheCloud> : never;
type Variable = VariableOf<Shapes>;

type OfPartners = VariableOf<(typeof outsideEnvironment)['shape']>;
/** Fields of the stage's provider secret. */
export type ProviderKey = Extract<OfPartners, `${string}_API_KEY`>;
/** The defaults are in functions/platform/environment.ts. */
export type PartnerVariable = Exclude<OfPartners, ProviderKey>;

const ofPartners = Object.keys(outsideEnvironment.shape);
export const PROVIDER_KEYS = ofPartners.filter((name): name is ProviderKey => name.endsWith('_API_KEY'));
export const PARTNER_VARIABLES = ofPartners.filter(
  (name): name is PartnerVariable =>
    !name.endsWith('_API_KEY') && !OUTSIDE_THE_CLOUD.some((variable) => variable === name),
);

/** `undefined` keeps the default. */
export type CloudValues = Readonly<Record<Exclude<Variable, OfPartners>, string | undefined>>;
export type PartnerValues = Readonly<Partial<Record<OfPartners, string>>>;

/** A token of the CDK within a text. */
const UNKNOWN_YET = /\$\{Token\[[^\]]+\]\}/g;

/** The variables that the function reads. @throws Error if it would refuse them */
export function environmentOf(
  name: FunctionName,
  values: CloudValues,
  partners: PartnerValues,
): Record<string, string | undefined> {
  const known: Readonly<Record<string, string | undefined>> = { ...partners, ...values };
  const given = Object.fromEntries(
    Object.keys(FUNCTION_TABLE[name].environment.shape).map((variable) => [variable, known[variable]]),
  );
  const parsed = z.safeParse(
    FUNCTION_TABLE[name].environment,
    Object.fromEntries(
      Object.entries(given).map(([variable, value]) => [
        variable,
        value?.replaceAll(UNKNOWN_YET, 'unknown-yet'),
      ]),
    ),
  );
  if (!parsed.success)
    throw new Error(
      `The function ${name} would not start with its environment:\n${z.prettifyError(parsed.error)}`,
    );
  return given;
}

/** Its rights follow from this. */
export function reads(name: FunctionName, variable: Variable): boolean {
  return Object.hasOwn(FUNCTION_TABLE[name].environment.shape, variable);
}

/** It has the address of every queue that it sends to. */
export const sendsTo = (name: FunctionName) =>
  QUEUES.filter((queue) =>
    Object.hasOwn(FUNCTION_TABLE[name].environment.shape, `${queue.toUpperCase()}_QUEUE_URL`),
  );
