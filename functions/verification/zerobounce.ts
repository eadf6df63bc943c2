/** ZeroBounce v2, `GET /validate`: https://www.zerobounce.net/docs */
import * as z from 'zod/mini';
import type { Http } from '#functions/net/http';
import { dead, invalid, unknown, VALID } from '#functions/verification/offline';
import { askJson, NoResult, type Provider } from '#functions/verification/provider';
import type { CheckResult } from '#functions/verification/verification';

const answerSchema = z.object({
  /** A wrong key or no credit is answered with status 200 and only this field. */
  error: z.optional(z.string()),
  status: z.optional(z.string()),
  sub_status: z.nullish(z.string()),
});

export function createZeroBounce(http: Http, baseUrl: string, apiKey: string): Provider {
  return {
    name: 'ZeroBounce',
    subject: ({ email }) => email.toLowerCase(),
    async ask({ email }, signal) {
      const url = new URL(`${baseUrl}/validate`);
      url.search = new URLSearchParams({ api_key: apiKey, email, ip_address: '' }).toString();
      const answer = answerSchema.safeParse(await askJson(http, { method: 'GET', url: url.href, signal }));
      if (!answer.success) throw new NoResult('unreadable answer');
      if (answer.data.error !== undefined) throw new NoResult('key or credit refused');
      return resultOf(answer.data.status?.toLowerCase() ?? '', codeOnly(answer.data.sub_status));
    },
  };
}

function resultOf(status: string, detail: string): CheckResult {
  const note = `E-mail: ${status} by ZeroBounce${detail === '' ? '' : ` (${detail})`}`;
  switch (status) {
    case 'valid':
      return VALID;
    case 'invalid':
      return dead(note);
    case 'spamtrap':
    case 'abuse':
      return invalid(note);
    case 'do_not_mail':
      // Addresses such as info@ are read by people.
      return detail.startsWith('role_based') ? VALID : invalid(note);
    case 'catch-all':
    case 'unknown':
      return unknown(note);
    default:
      throw new NoResult('unknown status');
  }
}

/** Only text in the form of a code may go into notes. */
function codeOnly(text: string | null | undefined): string {
  return text !== null && text !== undefined && /^[a-z_]{1,40}$/.test(text) ? text : '';
}
