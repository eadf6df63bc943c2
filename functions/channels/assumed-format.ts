/** A partner without a public format: address, authentication, encoding and how an answer is read are configuration. */
import type { Report } from '#functions/channels/channel';
import {
  at,
  duplicate,
  idText,
  parseJson,
  type Reading,
  reportOn,
  USER_AGENT,
  undelivered,
} from '#functions/channels/http-channel';
import type { Http } from '#functions/net/http';

export interface AssumedFormat {
  readonly url: string;
  readonly method: 'POST' | 'PUT';
  readonly encoding: 'json' | 'form';
  readonly auth: 'bearer' | 'x-api-key' | 'body' | 'query' | 'none';
  /** Must hold true, 1, "ok" or "success"; undefined: any 2xx that does not say otherwise. */
  readonly successField: string | undefined;
  /** Paths separated by commas. */
  readonly idFields: string;
  readonly duplicate: RegExp;
}

type Field = string | number | Readonly<Record<string, string | number>>;

/** Sends the fields as the format says and reads the answer by it; never throws. */
export function sendAssumed(
  http: Http,
  format: AssumedFormat,
  call: {
    readonly fields: Readonly<Record<string, Field>>;
    readonly key: string;
    readonly afterUnknown: boolean;
    readonly signal: AbortSignal;
  },
): Promise<Report> {
  const { fields, key } = call;
  const url = new URL(format.url);
  if (format.auth === 'query') url.searchParams.set('api_key', key);
  const body = format.auth === 'body' ? { api_key: key, ...fields } : fields;
  return reportOn(
    {
      http,
      request: {
        method: format.method,
        url: url.href,
        headers: {
          accept: 'application/json',
          'user-agent': USER_AGENT,
          'content-type':
            format.encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
          ...(format.auth === 'bearer' && { authorization: `Bearer ${key}` }),
          ...(format.auth === 'x-api-key' && { 'x-api-key': key }),
        },
        body: format.encoding === 'json' ? JSON.stringify(body) : formOf(body),
      },
      summary: JSON.stringify(fields),
      secrets: key === '' ? [] : [key],
      signal: call.signal,
    },
    ({ status, body: text }) => readAnswer(format, status, text, call.afterUnknown),
  );
}

function readAnswer(
  format: AssumedFormat,
  status: number,
  text: string,
  afterUnknown: boolean,
): Reading | undefined {
  const answer = parseJson(text);
  const isObject = typeof answer === 'object' && answer !== null;
  const success = status >= 200 && status < 300;
  // A conflict is how most APIs say that they have something already.
  if (status === 409) return duplicate(afterUnknown);
  const refused = success ? isObject && !accepted(format, answer) : status === 400 || status === 422;
  if (refused)
    return format.duplicate.test(text)
      ? duplicate(afterUnknown)
      : undelivered('permanent', 'The partner refused the lead');
  if (!success) return undefined;
  // An empty 2xx is a yes; a page or a torn text is not.
  if (!isObject && text.trim() !== '') return undefined;
  return { outcome: 'delivered', external_id: externalId(format, answer), error: null };
}

function accepted(format: AssumedFormat, answer: unknown): boolean {
  if (format.successField !== undefined) return isYes(at(answer, format.successField));
  const status = at(answer, 'status');
  const says = typeof status === 'string' ? status.toLowerCase() : status;
  return (
    at(answer, 'success') !== false &&
    says !== false &&
    !['error', 'false', 'failed', 'duplicate'].includes(String(says))
  );
}

function isYes(value: unknown): boolean {
  return (
    value === true || value === 1 || ['1', 'true', 'ok', 'success'].includes(String(value).toLowerCase())
  );
}

function externalId(format: AssumedFormat, answer: unknown): string | null {
  for (const path of format.idFields.split(',')) {
    const id = idText(at(answer, path.trim()));
    if (id !== undefined) return id;
  }
  return null;
}

/** Nested fields as `custom_data[name]`, as forms have them. */
function formOf(fields: Readonly<Record<string, Field>>): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'object')
      for (const [inner, text] of Object.entries(value)) form.append(`${name}[${inner}]`, String(text));
    else form.append(name, String(value));
  }
  return form.toString();
}
