import type { ConsentView } from '#shared/contract/rows/consent-view';
import { CONSENT_CHANNEL_LABELS, consentLine } from '#shared/rules/consent';

export function consentFacts(consent: ConsentView): (readonly [label: string, value: string])[] {
  const channels = consent.channels.map((channel) => CONSENT_CHANNEL_LABELS[channel].en).join(', ');
  return [
    ['Consent', `${consentLine(consent, undefined, 'en')}; contact by ${channels}`],
    ['Consent text', consent.text],
  ];
}
