import { CONSENT_CHANNELS, CONSENT_METHODS } from '#shared/rules/consent';
import { INVALID } from '../invalid-texts';

export const LABELS = {
  given_at: 'Given at',
  method: 'Method',
  channels: 'Channels',
  text: 'Wording',
  page_url: 'Page address',
} as const;

/** As typed; the time in that of the browser. */
export type ConsentValues = Record<Exclude<keyof typeof LABELS, 'channels'>, string> & { channels: string[] };

export const NO_CONSENT: ConsentValues = {
  given_at: '',
  method: CONSENT_METHODS[0],
  channels: [],
  text: '',
  page_url: '',
};

export const isGiven = (consent: ConsentValues): boolean =>
  JSON.stringify(consent) !== JSON.stringify(NO_CONSENT);

/** By the path of each field in the form, as the server names it. */
export const missingIn = (consent: ConsentValues): Record<string, string> =>
  Object.fromEntries(
    (['given_at', 'channels', 'text'] as const)
      .filter((name) => consent[name].length === 0)
      .map((name) => [
        `consent.${name}`,
        INVALID.required(name === 'channels' ? 'At least one channel' : LABELS[name]),
      ]),
  );

export const consentOf = ({ given_at, method, channels, text, page_url }: ConsentValues) => ({
  given_at: new Date(given_at).toISOString(),
  method: CONSENT_METHODS.find((one) => one === method) ?? CONSENT_METHODS[0],
  channels: CONSENT_CHANNELS.filter((one) => channels.includes(one)),
  text,
  ...(page_url.trim() !== '' && { page_url: page_url.trim() }),
});
