import type * as z from 'zod/mini';
import type { ChannelAdapter, ChannelDeps } from '#functions/channels/channel';
import { createEmailChannel } from '#functions/channels/email';
import { createHttpDelivery } from '#functions/channels/http';
import { createPartnerGuard, createPartnerHttp } from '#functions/channels/partner-http';
import { createPresetDelivery } from '#functions/channels/preset';
import { trackboxFromEnvironment } from '#functions/channels/trackbox';
import type { Cipher } from '#functions/keys/cipher';
import type { linkEnvironment, partnerEnvironment } from '#functions/platform/environment';
import type { Runtime } from '#functions/platform/runtime';
import type { Channel } from '#shared/channels/channels';

type PartnerEnvironment = z.output<typeof partnerEnvironment> & z.output<typeof linkEnvironment>;

export function createChannels(
  environment: PartnerEnvironment,
  cipher: Cipher,
  runtime: Pick<Runtime, 'now' | 'externalServices' | 'timeout'>,
): Readonly<Record<Channel, ChannelAdapter>> {
  const guard = createPartnerGuard(environment);
  const http = createPartnerHttp(environment, runtime);
  const deps: ChannelDeps = { environment, guard, http, cipher, runtime };
  const overHttp = createHttpDelivery(deps, 'known');
  const assumed = createHttpDelivery(deps, 'assumed');
  return {
    email: createEmailChannel({
      ...deps,
      publicBaseUrl: environment.PUBLIC_BASE_URL,
      mail: runtime.externalServices?.mail,
    }),
    heroleads: createPresetDelivery('heroleads', assumed, environment.HEROLEADS_API_URL),
    trackbox: trackboxFromEnvironment(deps),
    sellanylead: createPresetDelivery('sellanylead', assumed, environment.SELLANYLEAD_API_URL),
    http: overHttp,
  };
}
