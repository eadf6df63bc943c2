import { createGuard, type Guard } from '#functions/net/guard';
import { createHttp, type Http } from '#functions/net/http';
import type { Runtime } from '#functions/platform/runtime';

/** From one worker to one partner. */
const MAX_CONNECTIONS = 4;

/** @param environment 1 allows private addresses; only outside the cloud */
export function createPartnerGuard(environment: { readonly ALLOW_PRIVATE_HOSTS: '0' | '1' }): Guard {
  return createGuard({ allowPrivate: environment.ALLOW_PRIVATE_HOSTS === '1' });
}

export function createPartnerHttp(
  environment: { readonly ALLOW_PRIVATE_HOSTS: '0' | '1' },
  { externalServices, timeout }: Pick<Runtime, 'externalServices' | 'timeout'>,
): Http {
  const guard = createPartnerGuard(environment);
  return externalServices?.http ?? createHttp(guard, { connections: MAX_CONNECTIONS, timeout });
}
