/** CloudFront's check of signed cookies with a custom policy, for tests and the local gateway. */
import { createVerify, type KeyLike } from 'node:crypto';
import * as z from 'zod/mini';

/** By key pair ID. */
export type KeyGroup = Readonly<Record<string, KeyLike>>;

export type GateResult =
  | 'granted'
  | 'no_cookies'
  | 'unknown_key'
  | 'bad_signature'
  | 'bad_policy'
  | 'other_resource'
  | 'not_yet'
  | 'expired';

const epoch = z.object({ 'AWS:EpochTime': z.int().check(z.positive()) });
// Strict: a condition that is not checked here is refused.
const policySchema = z.strictObject({
  Statement: z.tuple([
    z.strictObject({
      Resource: z.string().check(z.minLength(1)),
      Condition: z.strictObject({ DateLessThan: epoch, DateGreaterThan: z.optional(epoch) }),
    }),
  ]),
});

// CloudFront's base64 replaces three characters that are not allowed in a cookie.
const decode = (value: string): Buffer =>
  Buffer.from(value.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/'), 'base64');

function parsePolicy(text: string) {
  try {
    return policySchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** `*` matches any number of characters, `?` exactly one. */
function matches(pattern: string, url: string): boolean {
  const expression = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`, 's').test(url);
}

/** @param url complete, with its query */
export function verifySignedCookies(
  keyGroup: KeyGroup,
  cookies: Readonly<Record<string, string | undefined>>,
  url: string,
  now: Date,
): GateResult {
  const policy = cookies['CloudFront-Policy'];
  const signature = cookies['CloudFront-Signature'];
  const keyPairId = cookies['CloudFront-Key-Pair-Id'];
  if (!policy || !signature || !keyPairId) return 'no_cookies';

  const publicKey = Object.hasOwn(keyGroup, keyPairId) ? keyGroup[keyPairId] : undefined;
  if (publicKey === undefined) return 'unknown_key';

  const text = decode(policy);
  const hash = cookies['CloudFront-Hash-Algorithm'] === 'SHA256' ? 'RSA-SHA256' : 'RSA-SHA1';
  if (!createVerify(hash).update(text).verify(publicKey, decode(signature))) {
    return 'bad_signature';
  }

  const statement = parsePolicy(text.toString('utf8'))?.Statement[0];
  if (statement === undefined) return 'bad_policy';
  if (!matches(statement.Resource, url)) return 'other_resource';

  const seconds = now.getTime() / 1000;
  const { DateLessThan: until, DateGreaterThan: from } = statement.Condition;
  if (from !== undefined && seconds <= from['AWS:EpochTime']) return 'not_yet';
  return seconds < until['AWS:EpochTime'] ? 'granted' : 'expired';
}
