/** Results are cached for a day. */

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type * as z from 'zod/mini';
import type { Context } from '#functions/data/context';
import * as verificationResultStore from '#functions/data/distribution/verification-result-store';
import type { Person } from '#functions/data/leads/lead';
import { createGuard } from '#functions/net/guard';
import { createHttp, HttpFailure } from '#functions/net/http';
import type { providerEnvironment, providerKeyEnvironment } from '#functions/platform/environment';
import { errorFields } from '#functions/platform/logger';
import { createNameApi } from '#functions/verification/nameapi';
import { unknown } from '#functions/verification/offline';
import { NoResult, type Provider } from '#functions/verification/provider';
import { createTwilioLookup } from '#functions/verification/twilio-lookup';
import type { Check, CheckResult, VerificationKind } from '#functions/verification/verification';
import { createZeroBounce } from '#functions/verification/zerobounce';

/** For one check in total. */
const CHECK_TIMEOUT_MS = 3_000;
const CACHED_FOR_MS = 24 * 3600_000;
/** To one provider. */
const MAX_CONNECTIONS = 20;

export interface CheckContext extends Context {
  readonly environment: z.output<typeof providerEnvironment>;
}

export function createOnlineChecks(deps: CheckContext): Readonly<Partial<Record<VerificationKind, Check>>> {
  const { environment } = deps;
  // Private addresses are allowed, because the operator configures these URLs, not buyers.
  const http =
    deps.runtime.externalServices?.http ??
    createHttp(createGuard({ allowPrivate: true }), {
      connections: MAX_CONNECTIONS,
      timeout: deps.runtime.timeout,
    });
  const check = (
    kind: VerificationKind,
    create: typeof createZeroBounce,
    url: string,
    key: string | undefined,
  ): Partial<Record<VerificationKind, Check>> =>
    key === undefined
      ? {}
      : { [kind]: createOnlineCheck(deps, kind, create(http, url.replace(/\/+$/, ''), key), key) };
  return {
    ...check('email', createZeroBounce, environment.ZEROBOUNCE_API_URL, environment.ZEROBOUNCE_API_KEY),
    ...check(
      'phone',
      createTwilioLookup,
      environment.TWILIO_LOOKUP_API_URL,
      environment.TWILIO_LOOKUP_API_KEY,
    ),
    ...check('name', createNameApi, environment.NAMEAPI_API_URL, environment.NAMEAPI_API_KEY),
  };
}

/** @param secret HMAC key: without it the stored hashes cannot be linked to a person */
const resultName = (secret: string, kind: VerificationKind, subject: string): string =>
  createHmac('sha256', secret).update(`${kind}\n${subject}`).digest('base64url');

const NO_CALLS = () => Promise.reject(new Error('No provider is configured'));

export async function storedResultsOf(
  environment: z.output<typeof providerKeyEnvironment>,
  person: Person,
): Promise<readonly string[]> {
  const named = async (
    kind: VerificationKind,
    create: typeof createZeroBounce,
    key: string | undefined,
  ): Promise<string[]> => {
    const subject = key === undefined ? undefined : await create(NO_CALLS, '', key).subject(person);
    return key === undefined || subject === undefined ? [] : [resultName(key, kind, subject)];
  };
  const names = await Promise.all([
    named('email', createZeroBounce, environment.ZEROBOUNCE_API_KEY),
    named('phone', createTwilioLookup, environment.TWILIO_LOOKUP_API_KEY),
    named('name', createNameApi, environment.NAMEAPI_API_KEY),
  ]);
  return names.flat();
}

const LABELS = { email: 'E-mail', phone: 'Phone', name: 'Name' } as const satisfies Record<
  VerificationKind,
  string
>;

/** @param secret HMAC key of the stored results */
function createOnlineCheck(
  deps: CheckContext,
  kind: VerificationKind,
  provider: Provider,
  secret: string,
): Check {
  const { runtime, table } = deps;
  const noResult = (why: string): CheckResult => {
    runtime.log.warn('verification gave no result', { kind, provider: provider.name, why });
    return unknown(`${LABELS[kind]}: not verified, ${provider.name} gave no result (${why})`);
  };

  /** Stored results only save money, so a failed read or write is ignored. */
  const unsaved = (message: string) => (error: unknown) => {
    runtime.log.error(message, { kind, ...errorFields(error) });
    return undefined;
  };

  const ask = async (person: Person, signal: AbortSignal): Promise<CheckResult> => {
    const subject = await provider.subject(person);
    if (subject === undefined) return provider.ask(person, signal);
    const hash = resultName(secret, kind, subject);
    const known = await verificationResultStore
      .get({ table }, hash, runtime.now())
      .catch(unsaved('verification result not read'));
    if (known !== undefined) return known;
    const result = await provider.ask(person, signal);
    const { status, note } = result;
    // Not cached, because the next answer may be certain.
    if (status !== 'unknown')
      await verificationResultStore
        .put(
          { table },
          hash,
          { status, note, dead: result.dead },
          new Date(runtime.now().getTime() + CACHED_FOR_MS),
        )
        .catch(unsaved('verification result not kept'));
    return result;
  };

  return async (person) => {
    const deadline = runtime.timeout(CHECK_TIMEOUT_MS);
    const answer = ask(person, deadline).catch((error: unknown) =>
      noResult(deadline.aborted ? 'timeout' : reasonOf(error)),
    );
    const answered = new AbortController();
    const late = once(deadline, 'abort', { signal: answered.signal });
    try {
      const first = await Promise.race([answer, late]);
      return { ...(Array.isArray(first) ? noResult('timeout') : first), by: provider.name };
    } finally {
      answered.abort();
    }
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof NoResult) return error.message;
  if (error instanceof HttpFailure) return error.code === 'TIMEOUT' ? 'timeout' : 'no connection';
  return 'error';
}
