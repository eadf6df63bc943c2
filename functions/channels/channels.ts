/** Creates the adapters of all channels from the environment. */
import type * as z from 'zod/mini';
import type { ChannelAdapter, ChannelDeps } from '#functions/channels/channel';
import { createEmailChannel } from '#functions/channels/email';
import { heroleadsFromEnvironment } from '#functions/channels/heroleads';
import { sellanyleadFromEnvironment } from '#functions/channels/sellanylead';
import { trackboxFromEnvironment } from '#functions/channels/trackbox';
import type { partnerEnvironment } from '#functions/environment';
import type { Cipher } from '#functions/keys/cipher';
import { createGuard, type Guard } from '#functions/net/guard';
import { createHttp } from '#functions/net/http';
import type { Runtime } from '#functions/runtime';
import type { Channel } from '#shared/channels/channels';

type PartnerEnvironment = z.output<typeof partnerEnvironment>;

/** At the same time, from one worker to one partner. */
const MAX_CONNECTIONS = 4;

export function createPartnerGuard(environment: Pick<PartnerEnvironment, 'ALLOW_PRIVATE_HOSTS'>): Guard {
  return createGuard({ allowPrivate: environment.ALLOW_PRIVATE_HOSTS === '1' });
}

export function createChannels(
  environment: PartnerEnvironment,
  cipher: Cipher,
  { outside, timeout }: Pick<Runtime, 'outside' | 'timeout'>,
): Readonly<Record<Channel, ChannelAdapter>> {
  const guard = createPartnerGuard(environment);
  const http = outside?.http ?? createHttp(guard, { connections: MAX_CONNECTIONS, timeout });
  const deps: ChannelDeps = { environment, guard, http, cipher };
  return {
    email: createEmailChannel({ ...deps, mail: outside?.mail }),
    heroleads: heroleadsFromEnvironment(deps),
    trackbox: trackboxFromEnvironment(deps),
    sellanylead: sellanyleadFromEnvironment(deps),
  };
}
