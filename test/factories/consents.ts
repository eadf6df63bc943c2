import type { NewConsent } from '#functions/domain/distribution/consent';
import type { LeadRequest } from '#test/factories/people';

type SentConsent = NonNullable<LeadRequest['consent']>;
/** To calls, as a source or an admin sends it. */
export const aSentConsent = (changes: Partial<SentConsent> = {}): SentConsent => ({
  given_at: '2026-01-01T10:00:00Z',
  method: 'form',
  channels: ['phone'],
  text: 'Ich möchte zu Geldanlagen angerufen werden.',
  ...changes,
});

/** With a wording of the source, as a browser sends it. */
export const A_CONSENT: NewConsent = {
  consent: {
    given_at: '2026-11-24T14:03:00.000Z',
    method: 'form',
    channels: ['phone', 'email'],
    text: '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
    page_url: 'https://www.festgeld-vergleich.example/angebote/festgeld-24-monate',
    ip: '2001:db8:85a3::8a2e:370:7334',
    user_agent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  },
  wording: undefined,
};
