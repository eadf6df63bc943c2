/**
 * SellAnyLead. Nothing public exists, so this whole format is assumed: field names, address, authentication, encoding and
 * the reading of answers are configuration. The buyer's mapping adds fields or replaces them.
 */
import { type AssumedFormat, sendAssumed } from '#functions/channels/assumed-format';
import type { ChannelAdapter } from '#functions/channels/channel';
import { notSent } from '#functions/channels/http-channel';
import { internationalPhone } from '#functions/channels/phone';
import { machineValues, mapped } from '#functions/channels/values';
import type { Http } from '#functions/net/http';

export interface SellanyleadDeps {
  readonly http: Http;
  readonly format: AssumedFormat;
  /** In plain text; undefined where none is set. */
  readonly key: string | undefined;
  /** From the partner's field to ours. */
  readonly fields: Readonly<Record<string, string>>;
}

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
