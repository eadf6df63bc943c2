/** Twilio Lookup v2, the basic call: https://www.twilio.com/docs/lookup/v2-api */
import * as z from 'zod/mini';
import type { Http } from '#functions/net/http';
import { dead, NO_PHONE_NUMBER, phoneNumber, VALID } from '#functions/verification/offline';
import { askJson, NoResult, type Provider } from '#functions/verification/provider';

const answerSchema = z.object({
  valid: z.boolean(),
  validation_errors: z.nullish(z.array(z.string())),
});

/** `sid:secret` */
export function createTwilioLookup(http: Http, baseUrl: string, apiKey: string): Provider {
  const authorization = `Basic ${Buffer.from(apiKey).toString('base64')}`;
  return {
    name: 'Twilio',
    subject: ({ telefon }) => phoneNumber(telefon),
    async ask({ telefon }, signal) {
      const number = await phoneNumber(telefon);
      if (number === undefined) return NO_PHONE_NUMBER;
      const answer = answerSchema.safeParse(
        await askJson(http, {
          method: 'GET',
          url: `${baseUrl}/PhoneNumbers/${encodeURIComponent(number)}`,
          headers: { authorization, accept: 'application/json' },
          signal,
        }),
      );
      if (!answer.success) throw new NoResult('unreadable answer');
      if (answer.data.valid) return VALID;
      const codes = (answer.data.validation_errors ?? []).filter((code) => /^[A-Z_]{1,40}$/.test(code));
      return dead(`Phone: invalid by Twilio${codes.length === 0 ? '' : ` (${codes.join(', ')})`}`);
    },
  };
}
