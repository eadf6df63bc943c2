/**
 * The lead broker HeroLeads. Its API is not documented publicly; the fields are those of Leadnodes
 * (https://support.leadnodes.com/de/articles/11645235-standard-lead-parameter), which has the same
 * `lead_type_id` and `custom_data` as the buyer's settings. Address, authentication and what counts as success are
 * configuration.
 */
import { type AssumedFormat, sendAssumed } from '#functions/channels/assumed-format';
import type { ChannelAdapter, ChannelDeps } from '#functions/channels/channel';
import { notSent } from '#functions/channels/http-channel';
import { internationalPhone } from '#functions/channels/phone';
import { machineValues, mapped } from '#functions/channels/values';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import type { Cipher } from '#functions/keys/cipher';
import type { Http } from '#functions/net/http';

export interface HeroleadsDeps {
  readonly http: Http;
  readonly cipher: Cipher;
  readonly format: AssumedFormat;
}

/** The content of `custom_data` for a buyer without a mapping: the partner's field to ours. */
const DEFAULT_MAPPING = { anlagebetrag: 'anlagebetrag', laufzeit: 'laufzeit', click_id: 'clickId' } as const;
/** Our fields that are sent as JSON numbers. */
const NUMBERS = new Set(['anlagebetrag', 'laufzeit', 'lead_sequence', 'order_id']);

export function createHeroleadsChannel(deps: HeroleadsDeps): ChannelAdapter {
  return {
    async send(payload, signal) {
      const { heroleads_api_key: apiKey, heroleads_lead_type_id: leadType } = payload.buyer;
      if (!apiKey || !leadType) return notSent('The HeroLeads settings of the buyer are incomplete');
      let key: string;
      try {
        key = deps.cipher.decrypt(apiKey);
      } catch {
        return notSent("The buyer's HeroLeads key cannot be read; enter it again");
      }
      return sendAssumed(deps.http, deps.format, {
        fields: await leadFields(payload, leadType),
        key,
        afterUnknown: payload.afterUnknown,
        signal,
      });
    },
  };
}

export function heroleadsFromEnvironment({ environment, http, cipher }: ChannelDeps): ChannelAdapter {
  return createHeroleadsChannel({
    http,
    cipher,
    format: {
      url: environment.HEROLEADS_API_URL,
      method: 'POST',
      encoding: 'json',
      auth: environment.HEROLEADS_AUTH,
      successField: environment.HEROLEADS_SUCCESS_FIELD,
      idFields: environment.HEROLEADS_ID_FIELDS,
      duplicate: new RegExp(environment.HEROLEADS_DUPLICATE, 'i'),
    },
  });
}

async function leadFields(payload: DeliveryPayload, leadType: string) {
  const { person, buyer } = payload;
  const mapping =
    Object.keys(buyer.custom_data_mapping).length > 0 ? buyer.custom_data_mapping : DEFAULT_MAPPING;
  return {
    lead_type_id: /^\d{1,9}$/.test(leadType) ? Number(leadType) : leadType,
    gender: person.anrede === 'Herr' ? 'm' : 'f',
    first_name: person.vorname,
    last_name: person.nachname,
    email: person.email,
    phone: await internationalPhone(person.telefon),
    country_code: 'DE',
    uuid: payload.lead_id,
    ...(person.src !== undefined && { campaignid: person.src }),
    custom_data: customData(mapping, payload),
  };
}

function customData(
  mapping: Readonly<Record<string, string>>,
  payload: DeliveryPayload,
): Record<string, string | number> {
  const texts = mapped(mapping, machineValues(payload));
  return Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [
      name,
      NUMBERS.has(mapping[name] ?? '') ? Number(value) : value,
    ]),
  );
}
