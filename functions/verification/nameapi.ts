/** NameAPI, `POST /riskdetector/person`: whether a name looks invented. Format: the vendor's client libraries. */
import * as z from 'zod/mini';
import type { Http } from '#functions/net/http';
import { invalid, unknown, VALID } from '#functions/verification/offline';
import { askJson, NoResult, type Provider } from '#functions/verification/provider';

/** `riskType` is a pair of class and value; `riskScore` is 0 to 1. */
const riskSchema = z.object({
  riskType: z.array(z.string()),
  riskScore: z.optional(z.number()),
});
const answerSchema = z.object({ score: z.optional(z.number()), worstRisk: z.nullish(riskSchema) });

const MIN_RISK_SCORE = 0.5;

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
      if (!answer.success) throw new NoResult('unreadable answer');
      const risk = answer.data.worstRisk;
      if (risk === null || risk === undefined) {
        // Without a risk and a score there is no result.
        if (answer.data.score === undefined) throw new NoResult('unreadable answer');
        return VALID;
      }
      const kind = risk.riskType.at(-1) ?? '';
      const label = /^[A-Z_]{1,40}$/.test(kind) ? kind : 'RISK';
      if ((risk.riskScore ?? 1) < MIN_RISK_SCORE) return VALID;
      // People may share the name of a famous person.
      return label === 'FAMOUS'
        ? unknown('Name: a celebrity’s name, by NameAPI')
        : invalid(`Name: looks made up, by NameAPI (${label})`);
    },
  };
}
