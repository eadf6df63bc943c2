/** NameAPI, `POST /riskdetector/person`: does the name look made up? Format as of the vendor's own clients. */
import * as z from 'zod/mini';
import type { Http } from '#functions/net/http';
import { invalid, unknown, VALID } from '#functions/verification/offline';
import { askJson, NoVerdict, type Provider } from '#functions/verification/provider';

/** `riskType` is a pair: the class of the risk and its value. */
const riskSchema = z.object({
  riskType: z.array(z.string()),
  riskScore: z.optional(z.number()),
});
const answerSchema = z.object({ score: z.optional(z.number()), worstRisk: z.nullish(riskSchema) });

/** Below it the detector itself is not sure. */
const CERTAIN = 0.5;

export function createNameApi(http: Http, baseUrl: string, apiKey: string): Provider {
  return {
    name: 'NameAPI',
    subject: ({ vorname, nachname }) => `${vorname}|${nachname}`.toLowerCase(),
    async ask({ vorname, nachname }, signal) {
      const url = new URL(`${baseUrl}/riskdetector/person`);
      url.searchParams.set('apiKey', apiKey);
      const answer = answerSchema.safeParse(
        await askJson(http, {
          method: 'POST',
          url: url.href,
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify({
            context: { priority: 'REALTIME', properties: [] },
            inputPerson: {
              type: 'NaturalInputPerson',
              personName: {
                nameFields: [
                  { string: vorname, fieldType: 'GIVENNAME' },
                  { string: nachname, fieldType: 'SURNAME' },
                ],
              },
              gender: 'UNKNOWN',
            },
          }),
          signal,
        }),
      );
      if (!answer.success) throw new NoVerdict('unreadable answer');
      const risk = answer.data.worstRisk;
      if (risk === null || risk === undefined) {
        // Neither a risk nor a score is no answer to the question.
        if (answer.data.score === undefined) throw new NoVerdict('unreadable answer');
        return VALID;
      }
      const kind = risk.riskType.at(-1) ?? '';
      const label = /^[A-Z_]{1,40}$/.test(kind) ? kind : 'RISK';
      if ((risk.riskScore ?? 1) < CERTAIN) return VALID;
      // Somebody may well be called like somebody famous.
      return label === 'FAMOUS'
        ? unknown('Name: that of somebody famous, by NameAPI')
        : invalid(`Name: looks made up, by NameAPI (${label})`);
    },
  };
}
