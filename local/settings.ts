import * as z from 'zod/mini';
import { inPlainWords } from '#functions/http/errors';
import { operatorEnvironment, outsideEnvironment } from '#functions/platform/environment';
import { StartError } from '#local/start-error';

const port = (standard: number) =>
  z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535)), standard);
const text = z.optional(z.string().check(z.minLength(1)));

const settingsSchema = z.object({
  PORT: port(3000),
  HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), '.data'),
  DEMO: z._default(z.enum(['0', '1']), '1'),
  ADMIN_USERNAME: z._default(z.string().check(z.minLength(1)), 'admin'),
  ADMIN_PASSWORD: text,
  SMTP_PORT: port(2525),
  PARTNERS_PORT: port(2580),
  DYNAMODB_ENDPOINT: text,
  RECONCILE_SECONDS: z._default(z.coerce.number().check(z.positive()), 60),
});
export type Settings = z.output<typeof settingsSchema>;

export function readSettings(): Settings {
  const read = settingsSchema.safeParse(process.env, { error: inPlainWords });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const name = issue?.path.join('.') ?? '';
  throw new StartError(`${name}=${process.env[name] ?? ''} cannot be used: ${issue?.message ?? ''}.`);
}

/** They replace an address of the sandbox. */
const OUTSIDE = [...Object.keys(outsideEnvironment.shape), ...Object.keys(operatorEnvironment.shape)];

export function readOutside(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    OUTSIDE.flatMap((name) => {
      const value = process.env[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}
