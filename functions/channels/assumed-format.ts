/** Calls to partners without a public API document: address, authentication, encoding and success are configuration. */

import type { Report } from '#functions/channels/channel';
import {
  at,
  duplicate,
  idText,
  type Reading,
  reportOn,
  saidNo,
  USER_AGENT,
  undelivered,
} from '#functions/channels/http-channel';
import type { Http } from '#functions/net/http';
import { parseJson } from '#functions/platform/parse-json';

export interface AssumedFormat {
  readonly url: string;
  readonly method: 'POST' | 'PUT';
  readonly encoding: 'json' | 'form';
  readonly auth: 'bearer' | 'x-api-key' | 'body' | 'query' | 'none';
  /**
   * Path of the answer's field that is true, 1, "ok" or "success" when the lead was accepted. If undefined, every 2xx
   * counts as success unless the answer's `success` or `status` says that it failed.
   */
  readonly successField: string | undefined;
  /**
   * Paths, separated by commas, of the fields that may contain the partner's id of the lead; the first found is used.
   */
  readonly idFields: string;
  /** Matches the text of an answer that refuses the lead because the partner already has it. */
  readonly duplicate: RegExp;
}

type Field = string | number | Readonly<Record<string, string | number>>;

/**
 * Sends the fields in the configured format and interprets the answer; never throws.
 * @param call.afterUnknown whether an earlier delivery attempt ended with the outcome `unknown`
 */
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
      open: Object.values(fields).flatMap((field) =>
        typeof field === 'object' ? Object.values(field).map(String) : [String(field)],
      ),
      signal: call.signal,
    },
    ({ status, body: text }) => readAnswer(format, status, text, call.afterUnknown),
  );
}

const REFUSED = 'The partner refused the lead';

function readAnswer(
  format: AssumedFormat,
  status: number,
  text: string,
  afterUnknown: boolean,
): Reading | undefined {
  const answer = parseJson(text);
  const isObject = typeof answer === 'object' && answer !== null;
  const success = status >= 200 && status < 300;
  // Most APIs answer 409 Conflict for something that they already have.
  if (status === 409) return duplicate(afterUnknown);
  const isNo = success ? isObject && !accepted(format, answer) : status === 400 || status === 422;
  if (isNo && format.duplicate.test(text)) return duplicate(afterUnknown);
  // A text or a page may be of somebody in between.
  if (isNo)
    return isObject ? saidNo({ status, text }, REFUSED, afterUnknown) : undelivered('permanent', REFUSED);
  if (!success) return undefined;
  // An empty 2xx is a success; an HTML page or incomplete JSON is not.
  if (!isObject && text.trim() !== '') return undefined;
  return { outcome: 'delivered', external_id: externalId(format, answer), error: null };
}

function accepted(format: AssumedFormat, answer: unknown): boolean {
  if (format.successField !== undefined) return isYes(at(answer, format.successField));
  const status = at(answer, 'status');
  const normalized = typeof status === 'string' ? status.toLowerCase() : status;
  return (
    at(answer, 'success') !== false &&
    normalized !== false &&
    !['error', 'false', 'failed', 'duplicate'].includes(String(normalized))
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

/** Form-encoded; nested fields are named `custom_data[name]`. */
function formOf(fields: Readonly<Record<string, Field>>): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'object')
      for (const [inner, text] of Object.entries(value)) form.append(`${name}[${inner}]`, String(text));
    else form.append(name, String(value));
  }
  return form.toString();
}
