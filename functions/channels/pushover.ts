/** `POST /messages.json`: https://pushover.net/api */

import { at, USER_AGENT } from '#functions/channels/http-channel';
import { redact, shorten } from '#functions/channels/redact';
import { type Http, HttpFailure } from '#functions/net/http';
import { parseJson } from '#functions/platform/parse-json';

/** In Unicode characters, not UTF-16 units. */
const MAX_MESSAGE_CHARACTERS = 1024;
const MAX_TITLE_CHARACTERS = 250;
const CALL_TIMEOUT_MS = 10_000;

export interface Push {
  readonly token: string;
  readonly user: string;
  readonly title: string;
  readonly message: string;
}

/** `refused` must not be repeated, `temporary` after at least five seconds, `quota` when the month is over. */
export type PushResult =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'refused'; readonly detail: string }
  | { readonly outcome: 'quota'; readonly until: Date; readonly detail: string }
  | { readonly outcome: 'temporary'; readonly detail: string };

/** Never throws. `detail` contains no keys. */
export type SendPush = (push: Push) => Promise<PushResult>;

/** Pushover allows two concurrent connections, which `http` must respect. */
export function createPushover(deps: {
  readonly http: Http;
  readonly baseUrl: string;
  readonly now: () => Date;
}): SendPush {
  return async ({ token, user, title, message }) => {
    const form = new URLSearchParams({
      token,
      user,
      title: shorten(title, MAX_TITLE_CHARACTERS),
      // Pushover refuses an empty message.
      message: shorten(message.trim() || title, MAX_MESSAGE_CHARACTERS),
    });
    try {
      const answer = await deps.http({
        method: 'POST',
        url: `${deps.baseUrl}/messages.json`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': USER_AGENT },
        body: form.toString(),
        timeout: CALL_TIMEOUT_MS,
      });
      const body = parseJson(answer.body);
      const detail = `${answer.status} ${redact(errorsOf(body), [token, user])}`.trim();
      if (answer.status === 200 && at(body, 'status') === 1) return { outcome: 'sent' };
      if (answer.status === 429)
        return { outcome: 'quota', until: resetOf(answer.headers['x-limit-app-reset'], deps.now()), detail };
      // A 200 without Pushover's `status` comes from something else, such as a proxy.
      if ((answer.status >= 400 && answer.status < 500) || typeof at(body, 'status') === 'number')
        return { outcome: 'refused', detail };
      return { outcome: 'temporary', detail };
    } catch (error) {
      return { outcome: 'temporary', detail: error instanceof HttpFailure ? error.code : 'no answer' };
    }
  };
}

function errorsOf(body: unknown): string {
  const errors = at(body, 'errors');
  return Array.isArray(errors) ? errors.filter((error) => typeof error === 'string').join('; ') : '';
}

const DAY_MS = 24 * 3600_000;

/** From the header (Unix seconds), or a day from now without a valid one. */
function resetOf(header: string | undefined, now: Date): Date {
  const reset = new Date(Number(header ?? Number.NaN) * 1000);
  return reset.getTime() > now.getTime() ? reset : new Date(now.getTime() + DAY_MS);
}
