/** TrackBox by Tigloo: https://intercom.help/tigloo/en/articles/9349579-trackbox-api-documentation */

import { randomInt } from 'node:crypto';
import type { ChannelAdapter, ChannelDeps } from '#functions/channels/channel';
import {
  at,
  duplicate,
  idText,
  misconfigured,
  notSent,
  type Reading,
  rejection,
  reportOn,
  USER_AGENT,
  undelivered,
} from '#functions/channels/http-channel';
import { internationalPhone } from '#functions/channels/phone';
import { machineValues, mapped } from '#functions/channels/values';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import type { Cipher } from '#functions/keys/cipher';
import type { Http } from '#functions/net/http';
import { parseJson } from '#functions/platform/parse-json';
import { TRACKBOX_DEFAULT_CI } from '#shared/channels/trackbox';

export interface TrackboxDeps {
  readonly http: Http;
  readonly cipher: Cipher;
  readonly scheme: 'https' | 'http';
  /** Whether phone numbers keep their `+`; the vendor's example has none. */
  readonly phonePlus: boolean;
}

/** Required, but not collected. */
const NO_ADDRESS = '0.0.0.0';
const LANGUAGE = 'DE';
/** Contains our lead ID, unless the buyer's mapping uses it; partners report it back. */
const LEAD_ID_FIELD = 'MPC_10';

export function createTrackboxChannel(deps: TrackboxDeps): ChannelAdapter {
  return {
    async send(payload, signal) {
      const { buyer } = payload;
      const {
        trackbox_domain: domain,
        trackbox_username: username,
        trackbox_password: password,
        trackbox_api_key: apiKey,
      } = buyer;
      if (!domain || !username || !password || !apiKey || !buyer.trackbox_ai || !buyer.trackbox_gi)
        return notSent('The TrackBox settings of the buyer are incomplete');

      let secrets: { password: string; apiKey: string };
      try {
        secrets = { password: deps.cipher.decrypt(password), apiKey: deps.cipher.decrypt(apiKey) };
      } catch {
        return notSent("The buyer's TrackBox password or key cannot be read; enter it again");
      }
      const accountPassword = randomPassword();
      const fields = await lead(payload, deps.phonePlus);
      const body = JSON.stringify({ ...fields, password: accountPassword });
      return reportOn(
        {
          http: deps.http,
          request: {
            method: 'POST',
            url: `${deps.scheme}://${domain}/api/signup/procform`,
            headers: {
              'x-trackbox-username': username,
              'x-trackbox-password': secrets.password,
              'x-api-key': secrets.apiKey,
              'content-type': 'application/json',
              accept: 'application/json',
              'user-agent': USER_AGENT,
            },
            body,
          },
          summary: body,
          secrets: [secrets.password, secrets.apiKey, accountPassword],
          open: Object.values(fields),
          signal,
        },
        ({ body: text, status }) => readAnswer(text, status, payload.afterUnknown),
      );
    },
    destination: ({ buyer }) => buyer.trackbox_domain ?? '',
  };
}

export function trackboxFromEnvironment({ environment, http, cipher }: ChannelDeps): ChannelAdapter {
  return createTrackboxChannel({
    http,
    cipher,
    scheme: environment.TRACKBOX_SCHEME,
    phonePlus: environment.TRACKBOX_PHONE_PLUS === '1',
  });
}

/** Empty values are left out. */
async function lead(payload: DeliveryPayload, phonePlus: boolean): Promise<Record<string, string>> {
  const { buyer, person } = payload;
  const phone = await internationalPhone(person.telefon);
  const all: Record<string, string> = {
    ai: buyer.trackbox_ai ?? '',
    ci: buyer.trackbox_ci ?? TRACKBOX_DEFAULT_CI,
    gi: buyer.trackbox_gi ?? '',
    userip: NO_ADDRESS,
    firstname: person.vorname,
    lastname: person.nachname,
    email: person.email,
    phone: phonePlus ? phone : phone.replace(/\D/g, ''),
    so: person.src ?? '',
    sub: person.clickId ?? person.src ?? '',
    lg: LANGUAGE,
    [LEAD_ID_FIELD]: payload.lead_id,
    ...mapped(buyer.trackbox_custom_mapping, machineValues(payload)),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

const CREDENTIALS = /password doesn'?t match|cant pull data/i;
const DUPLICATE = /already|duplicate|(?<!not |n't )\bexists?\b/i;
const NO_CAPACITY = /no available brands|\bcap(s|ped|acity)?\b|(daily|lead) limit/i;

/** TrackBox answers failures with status 200, and sends JSON as text/html. */
function readAnswer(text: string, status: number, afterUnknown: boolean): Reading | undefined {
  const answer = parseJson(text);
  const accepted = at(answer, 'status');
  if (accepted === undefined) {
    // From a firewall in front of the box, which has not received the lead.
    if (status === 403) return undelivered('transient', 'The partner’s firewall refused the call');
    return undefined;
  }
  if (status >= 500 || status === 429) return undefined;
  if (accepted === true || accepted === 1 || accepted === '1')
    return { outcome: 'delivered', external_id: externalId(answer), error: null };

  const reason = reasonOf(answer);
  const code = Number(at(answer, 'code'));
  if (code === 401 || code === 403 || CREDENTIALS.test(reason))
    return misconfigured('TrackBox refused the user name, the password or the API key');
  // Before the duplicates, because "limit already reached" matches both patterns.
  if (NO_CAPACITY.test(reason)) return undelivered('transient', 'TrackBox has no capacity at the moment');
  if (DUPLICATE.test(reason)) return duplicate(afterUnknown);
  return rejection({ status, text: reason }, 'TrackBox refused the lead', afterUnknown);
}

/** Boxes use different fields. `addonData` may repeat the request. */
function reasonOf(answer: unknown): string {
  const texts = (value: unknown): string => {
    if (typeof value === 'string') return value;
    if (Array.isArray(value))
      return value
        .map((entry) => (typeof entry === 'string' ? entry : texts(at(entry, 'message'))))
        .join('; ');
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
  };
  const fields = ['errorMessage', 'data', 'error', 'message'];
  return fields.map((field) => texts(at(answer, field))).find((text) => text !== '' && text !== '{}') ?? '';
}

/** All IDs, because a later report of the box may use any of them. */
function externalId(answer: unknown): string | null {
  const ids = ['id', 'customerId', 'uniqueid'].flatMap((name) => {
    const id = idText(at(answer, `addonData.data.${name}`));
    return id === undefined ? [] : [{ name, id }];
  });
  const distinct = new Set(ids.map(({ id }) => id));
  if (distinct.size <= 1) return ids[0]?.id ?? null;
  return ids.map(({ name, id }) => `${name}=${id}`).join(' ');
}

const CLASSES = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '!#$%*+-?'] as const;
const PASSWORD_LENGTH = 12;

function pick(from: string): string {
  return from.charAt(randomInt(from.length));
}

/** For the account that the partner opens for the person: random, never stored. */
function randomPassword(): string {
  const characters = [
    ...CLASSES.map(pick),
    ...Array.from({ length: PASSWORD_LENGTH - CLASSES.length }, () => pick(CLASSES.join(''))),
  ];
  for (let last = characters.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [characters[last], characters[other]] = [characters[other] ?? '', characters[last] ?? ''];
  }
  return characters.join('');
}
