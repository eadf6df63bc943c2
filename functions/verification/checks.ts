/** Offline first, then by a provider with a key. */

import type { Person } from '#functions/data/leads/lead';
import { checkEmail, checkName, checkPhone } from '#functions/verification/offline';
import type { CheckContext } from '#functions/verification/online';
import type { Check, CheckResult, Checks, VerificationKind } from '#functions/verification/verification';
import { lazy } from '#shared/rules/lazy';

export function createChecks(deps: CheckContext): Checks {
  const { environment } = deps;
  // Imported with the first lead, and only if a provider has a key.
  const online = lazy(async () => {
    const { createOnlineChecks } = await import('#functions/verification/online');
    return createOnlineChecks(deps);
  });
  const check = (
    kind: VerificationKind,
    offline: (person: Person) => CheckResult | Promise<CheckResult>,
    key: string | undefined,
  ): Check => {
    if (key === undefined) return async (person) => offline(person);
    return async (person) => {
      const result = await offline(person);
      if (result.status !== 'valid') return result;
      const ask = (await online())[kind];
      return ask === undefined ? result : ask(person);
    };
  };
  return {
    email: check('email', checkEmail, environment.ZEROBOUNCE_API_KEY),
    phone: check('phone', checkPhone, environment.TWILIO_LOOKUP_API_KEY),
    name: check('name', checkName, environment.NAMEAPI_API_KEY),
  };
}
