/**
 * SellAnyLead. Its API is not documented publicly, so the whole format is assumed: field names, address,
 * authentication, encoding and what counts as success are configuration. The buyer's mapping adds or replaces fields.
 */

import * as z from 'zod/mini';
import { type AssumedFormat, sendAssumed } from '#functions/channels/assumed-format';
import type { ChannelAdapter, ChannelDeps } from '#functions/channels/channel';
import { notSent } from '#functions/channels/http-channel';
import { internationalPhone } from '#functions/channels/phone';
import { machineValues, mapped } from '#functions/channels/values';
import type { Http } from '#functions/net/http';
import { parseJson } from '#functions/platform/parse-json';

export interface SellanyleadDeps {
  readonly http: Http;
  readonly format: AssumedFormat;
  /** In plain text; undefined where none is set. */
  readonly key: string | undefined;
  /** The partner's field to ours. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The default fields: the partner's to ours. */
export const SELLANYLEAD_FIELDS: Readonly<Record<string, string>> = {
  external_id: 'lead_id',
  salutation: 'anrede',
  first_name: 'vorname',
  last_name: 'nachname',
  email: 'email',
  phone: 'telefon',
  amount: 'anlagebetrag',
  term_months: 'laufzeit',
  click_id: 'clickId',
  source: 'src',
};

export function createSellanyleadChannel(deps: SellanyleadDeps): ChannelAdapter {
  return {
    async send(payload, signal) {
      if (deps.format.auth !== 'none' && deps.key === undefined)
        return notSent('SellAnyLead has no API key (SELLANYLEAD_API_KEY)');
      const values = {
        ...machineValues(payload),
        telefon: await internationalPhone(payload.person.telefon),
      };
      return sendAssumed(deps.http, deps.format, {
        fields: mapped({ ...deps.fields, ...payload.buyer.custom_data_mapping }, values),
        key: deps.key ?? '',
        afterUnknown: payload.afterUnknown,
        signal,
      });
    },
  };
}

export function sellanyleadFromEnvironment({ environment, http }: ChannelDeps): ChannelAdapter {
  return createSellanyleadChannel({
    http,
    format: {
      url: environment.SELLANYLEAD_API_URL,
      method: environment.SELLANYLEAD_METHOD,
      encoding: environment.SELLANYLEAD_FORMAT,
      auth: environment.SELLANYLEAD_AUTH,
      successField: environment.SELLANYLEAD_SUCCESS_FIELD,
      idFields: environment.SELLANYLEAD_ID_FIELDS,
      duplicate: new RegExp(environment.SELLANYLEAD_DUPLICATE, 'i'),
    },
    key: environment.SELLANYLEAD_API_KEY,
    fields: configuredFields(environment.SELLANYLEAD_FIELDS),
  });
}

/** @throws Error when the configuration is not a JSON object of texts */
function configuredFields(json: string | undefined): Readonly<Record<string, string>> {
  if (json === undefined) return SELLANYLEAD_FIELDS;
  const fields = z.record(z.string(), z.string()).safeParse(parseJson(json));
  if (!fields.success) throw new Error('SELLANYLEAD_FIELDS is not a JSON object of texts');
  return fields.data;
}
