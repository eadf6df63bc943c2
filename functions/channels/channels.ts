/** All channels, wired from the environment. */
import * as z from 'zod/mini';
import type { AssumedFormat } from '#functions/channels/assumed-format';
import type { ChannelAdapter } from '#functions/channels/channel';
import { createEmailChannel } from '#functions/channels/email';
import { createHeroleadsChannel } from '#functions/channels/heroleads';
import { parseJson } from '#functions/channels/http-channel';
import { createSellanyleadChannel, SELLANYLEAD_FIELDS } from '#functions/channels/sellanylead';
import { createTrackboxChannel } from '#functions/channels/trackbox';
import type { partnerEnvironment } from '#functions/environment';
import type { Cipher } from '#functions/keys/cipher';
import { createGuard, type Guard } from '#functions/net/guard';
import { createHttp } from '#functions/net/http';
import type { Channel } from '#shared/contract/constants';

type PartnerEnvironment = z.output<typeof partnerEnvironment>;

/** Connections to one partner from one worker. */
const CONNECTIONS = 4;

export function createPartnerGuard(environment: Pick<PartnerEnvironment, 'ALLOW_PRIVATE_HOSTS'>): Guard {
  return createGuard({ allowPrivate: environment.ALLOW_PRIVATE_HOSTS === '1' });
}

export function createChannels(
  environment: PartnerEnvironment,
  cipher: Cipher,
): Readonly<Record<Channel, ChannelAdapter>> {
  const guard = createPartnerGuard(environment);
  const http = createHttp(guard, { connections: CONNECTIONS });
  return {
    email: createEmailChannel({ guard, cipher }),
    heroleads: createHeroleadsChannel({ http, cipher, format: heroleadsFormat(environment) }),
    trackbox: createTrackboxChannel({
      http,
      cipher,
      scheme: environment.TRACKBOX_SCHEME,
      phonePlus: environment.TRACKBOX_PHONE_PLUS === '1',
    }),
    sellanylead: createSellanyleadChannel({
      http,
      format: sellanyleadFormat(environment),
      key: environment.SELLANYLEAD_API_KEY,
      fields: sellanyleadFields(environment.SELLANYLEAD_FIELDS),
    }),
  };
}

function heroleadsFormat(environment: PartnerEnvironment): AssumedFormat {
  return {
    url: environment.HEROLEADS_API_URL,
    method: 'POST',
    encoding: 'json',
    auth: environment.HEROLEADS_AUTH,
    successField: environment.HEROLEADS_SUCCESS_FIELD,
    idFields: environment.HEROLEADS_ID_FIELDS,
    duplicate: new RegExp(environment.HEROLEADS_DUPLICATE, 'i'),
  };
}

function sellanyleadFormat(environment: PartnerEnvironment): AssumedFormat {
  return {
    url: environment.SELLANYLEAD_API_URL,
    method: environment.SELLANYLEAD_METHOD,
    encoding: environment.SELLANYLEAD_FORMAT,
    auth: environment.SELLANYLEAD_AUTH,
    successField: environment.SELLANYLEAD_SUCCESS_FIELD,
    idFields: environment.SELLANYLEAD_ID_FIELDS,
    duplicate: new RegExp(environment.SELLANYLEAD_DUPLICATE, 'i'),
  };
}

/** @throws Error when the configuration is not a JSON object of texts */
function sellanyleadFields(json: string | undefined): Readonly<Record<string, string>> {
  if (json === undefined) return SELLANYLEAD_FIELDS;
  const fields = z.record(z.string(), z.string()).safeParse(parseJson(json));
  if (!fields.success) throw new Error('SELLANYLEAD_FIELDS is not a JSON object of texts');
  return fields.data;
}
