/** Pushover, `POST /messages.json`: https://pushover.net/api */
import { at, parseJson, USER_AGENT } from '#functions/channels/http-channel';
import { redact } from '#functions/channels/redact';
import { type Http, HttpFailure } from '#functions/net/http';

/** Limits in Unicode characters, as Pushover counts them, not in UTF-16 units. */
const MESSAGE_CHARACTERS = 1024;
const TITLE_CHARACTERS = 250;
/** Milliseconds. */
const CALL_TIME = 10_000;

export interface Push {
  /** The application's key and the user's or group's key, in plain text. */
  readonly token: string;
  readonly user: string;
  readonly title: string;
  readonly message: string;
}

/**
 * - `sent`: Pushover has queued it
 * - `refused`: the same request will never work and must not be repeated
 * - `quota`: the application has used up its month; not before `until`
 * - `temporary`: may be repeated, no sooner than five seconds later
 */
export type PushResult =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'refused'; readonly detail: string }
  | { readonly outcome: 'quota'; readonly until: Date; readonly detail: string }
  | { readonly outcome: 'temporary'; readonly detail: string };

/** Sends a push; never throws. Details hold no keys. */
export type SendPush = (push: Push) => Promise<PushResult>;

/** Pushover asks for at most two connections at once; `http` decides how many there are. */
export function createPushover(deps: {
  readonly http: Http;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly now: () => Date;
}): SendPush {
  return async ({ token, user, title, message }) => {
    const form = new URLSearchParams({
      token,
      user,
      title: shorten(title, TITLE_CHARACTERS),
      // An empty message is an error.
      message: shorten(message.trim() || title, MESSAGE_CHARACTERS),
    });
    try {
      const answer = await deps.http({
        method: 'POST',
        url: `${deps.baseUrl}/messages.json`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': USER_AGENT },
        body: form.toString(),
        timeout: CALL_TIME,
      });
      const body = parseJson(answer.body);
      const detail = `${answer.status} ${redact(errorsOf(body), [token, user])}`.trim();
      if (answer.status === 200 && at(body, 'status') === 1) return { outcome: 'sent' };
      if (answer.status === 429)
        return { outcome: 'quota', until: resetOf(answer.headers['x-limit-app-reset'], deps.now()), detail };
      // A 200 that cannot be read is no answer of Pushover's.
      if ((answer.status >= 400 && answer.status < 500) || typeof at(body, 'status') === 'number')
        return { outcome: 'refused', detail };
      return { outcome: 'temporary', detail };
    } catch (error) {
      return { outcome: 'temporary', detail: error instanceof HttpFailure ? error.code : 'no answer' };
    }
  };
}

/** The first characters, with an ellipsis where some are missing; never half a character. */
export function shorten(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

function errorsOf(body: unknown): string {
  const errors = at(body, 'errors');
  return Array.isArray(errors) ? errors.filter((error) => typeof error === 'string').join('; ') : '';
}

const DAY = 24 * 3600_000;

/** The quota begins anew once a month; without the header, tomorrow is asked again. */
function resetOf(header: string | undefined, now: Date): Date {
  const reset = new Date(Number(header ?? Number.NaN) * 1000);
  return reset.getTime() > now.getTime() ? reset : new Date(now.getTime() + DAY);
}
