/** Requests of the HTTP channel. Form and server share this code, so the preview is what is sent. */
import { PATH_EXPECTED, stepsOfAll } from '#shared/rules/answer-path';
import { type AnswerRule, ruleProblem } from '#shared/rules/answer-rules';
import { serverOf } from '#shared/rules/destinations';
import { INVALID } from '#shared/rules/invalid-texts';
import {
  fillRequest,
  isNumeric,
  macroProblem,
  macrosIn,
  type RequestValues,
} from '#shared/rules/lead-values';
import { escapeXml, matchesRawParts, readXml } from '#shared/rules/xml';

export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** By the names of the buyer's fields. */
export interface HttpSettings {
  readonly http_method: string | null;
  readonly http_url: string | null;
  readonly http_headers: readonly Pair[];
  readonly http_auth: string | null;
  readonly http_user: string | null;
  readonly http_key_name: string | null;
  readonly http_secret: string | null;
  readonly http_second_secret: string | null;
  readonly http_body_kind: string | null;
  readonly http_body: string | null;
  readonly http_rules: readonly AnswerRule[];
  readonly http_id_path: string | null;
}
export type HttpProblems = Partial<Record<keyof HttpSettings, string>>;

export interface BuiltRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const HOST = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*';
/** Unencrypted only to this machine. */
const ADDRESS = new RegExp(
  `^(?:https://${HOST}|http://(?:localhost|127\\.0\\.0\\.1))(?::\\d{1,5})?(?:[/?][!"$-~]*)?$`,
);
const PORT = /^[^/]*\/\/[^/?]*:(\d+)/;
const MAX_PORT = 65_535;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** The connection sets these. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
]);
const SECRET_HEADER = /authorization|cookie|password|secret|token|api[-_]?key/i;
const SECRET_MACRO = /\$\$secret2?\$\$/;
const VISIBLE = /^[ -~]*$/;

/** One sentence per field. */
export function httpProblems(settings: HttpSettings): HttpProblems {
  const problems: Partial<Record<keyof HttpSettings, string | undefined>> = {
    http_url: addressProblem(settings),
    http_headers: firstOf(settings.http_headers, 'Header', (pair) => headerProblem(pair, settings)),
    http_key_name: settings.http_auth === 'header' ? nameProblem(settings.http_key_name ?? '') : undefined,
    http_body: hasBody(settings) ? bodyProblem(settings) : undefined,
    http_rules: firstOf(settings.http_rules, 'Rule', ruleProblem),
    http_id_path:
      settings.http_id_path === null || stepsOfAll(settings.http_id_path).every((steps) => steps)
        ? undefined
        : PATH_EXPECTED,
  };
  const found: HttpProblems = {};
  for (const [name, text] of Object.entries(problems))
    if (text !== undefined && isField(name, problems)) found[name] = text;
  return found;
}

const isField = (name: string, of: object): name is keyof HttpSettings => Object.hasOwn(of, name);

function firstOf<Row>(
  rows: readonly Row[],
  what: string,
  problemOf: (row: Row) => string | undefined,
): string | undefined {
  for (const [index, row] of rows.entries()) {
    const problem = problemOf(row);
    if (problem !== undefined) return `${what} ${index + 1}: ${problem}`;
  }
  return undefined;
}

function addressProblem(settings: HttpSettings): string | undefined {
  const address = settings.http_url ?? '';
  if (serverOf(address).includes('$$')) return INVALID.hostMacro;
  if (!ADDRESS.test(address)) return 'Enter an address that starts with https://';
  if (Number(PORT.exec(address)?.[1]) > MAX_PORT) return `The port is at most ${MAX_PORT}`;
  return textProblem(address, settings);
}

function textProblem(text: string, settings: HttpSettings): string | undefined {
  const macro = macroProblem(text);
  if (macro !== undefined) return macro;
  if (!SECRET_MACRO.test(text)) return undefined;
  if (settings.http_auth === null || settings.http_auth === 'none')
    return '$$secret$$ needs an authentication other than “None”';
  return macrosIn(text).includes('secret2') && settings.http_second_secret === null
    ? 'The second secret is missing'
    : undefined;
}

function nameProblem(name: string): string | undefined {
  if (!HEADER_NAME.test(name)) return 'This is not a valid header name';
  return RESERVED_HEADERS.has(name.toLowerCase()) ? `${name} is set automatically` : undefined;
}

function headerProblem({ name, value }: Pair, settings: HttpSettings): string | undefined {
  const ofName = nameProblem(name);
  if (ofName !== undefined) return ofName;
  if (SECRET_HEADER.test(name) && !SECRET_MACRO.test(value))
    return `${name} looks like a secret. Enter it under authentication and use $$secret$$ here`;
  if (!VISIBLE.test(value)) return 'only ASCII characters are allowed';
  const same = settings.http_headers.filter((other) => other.name.toLowerCase() === name.toLowerCase());
  return same.length > 1 ? `${name} is repeated` : textProblem(value, settings);
}

const hasBody = ({ http_method }: HttpSettings) => http_method !== 'GET';

function bodyProblem(settings: HttpSettings): string | undefined {
  const body = settings.http_body ?? '';
  const problem = textProblem(body, settings);
  if (problem !== undefined) return problem;
  switch (settings.http_body_kind) {
    case 'form':
      return firstOf(body.split('\n'), 'Line', (line) =>
        line.trim() === '' || /^[^=$]+=/.test(line.trim()) ? undefined : 'enter it as name=value',
      );
    case 'xml': {
      if (matchesRawParts(body, /\$\$/))
        return 'Macros are not allowed in comments, processing instructions and CDATA';
      const read = readXml(body);
      return read.ok ? undefined : `This is not XML: ${read.problem}`;
    }
    case null:
    default:
      return jsonProblem(body);
  }
}

/** A quoted text, or a macro outside of one. */
const JSON_PART = /"(?:[^"\\]|\\.)*"|\$\$[A-Za-z_]\w*(?::\w+)?\$\$/g;

/** A macro without quotation marks stands for a whole value. */
function jsonProblem(body: string): string | undefined {
  try {
    JSON.parse(body.replace(JSON_PART, (part) => (part.startsWith('"') ? part : 'null')));
    return undefined;
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`;
  }
}

/** The settings must have no problems. @param values with the secrets, or with masks for a preview */
export function buildRequest(settings: HttpSettings, values: RequestValues): BuiltRequest {
  const secret = values.secret ?? '';
  const url = fillRequest(settings.http_url ?? '', values, encodeInAddress);
  const method = methodOf(settings.http_method);
  const body = method === 'GET' ? undefined : bodyOf(settings, values);
  const headers: Record<string, string> = {
    accept: 'application/json, application/xml, */*',
    ...(body !== undefined && { 'content-type': contentTypeOf(settings.http_body_kind) }),
  };
  for (const { name, value } of settings.http_headers)
    headers[name.toLowerCase()] = fillRequest(value, values, (text, macro) =>
      SECRETS.has(macro) ? text : encodeInHeader(text),
    );
  switch (settings.http_auth) {
    case 'bearer':
      headers.authorization = `Bearer ${secret}`;
      break;
    case 'basic':
      headers.authorization = `Basic ${base64(`${settings.http_user ?? ''}:${secret}`)}`;
      break;
    case 'header':
      headers[(settings.http_key_name ?? '').toLowerCase()] = secret;
      break;
    case 'query':
      return { method, url: withParameter(url, settings.http_key_name ?? '', secret), headers, body };
    case null:
    default:
      break;
  }
  return { method, url, headers, body };
}

const SECRETS: ReadonlySet<string> = new Set(['secret', 'secret2']);

function methodOf(method: string | null): BuiltRequest['method'] {
  switch (method) {
    case 'GET':
    case 'PUT':
    case 'PATCH':
      return method;
    case null:
    default:
      return 'POST';
  }
}

/** Dots alone would be steps in a path. */
const encodeInAddress = (value: string) => (/^\.+$/.test(value) ? '' : encodeURIComponent(value));

/** Headers are visible ASCII. */
const encodeInHeader = (value: string) =>
  value.replace(/[^ -~]+/g, (characters) => encodeURIComponent(characters));

const withParameter = (url: string, name: string, value: string) =>
  `${url}${url.includes('?') ? '&' : '?'}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

function contentTypeOf(kind: string | null): string {
  switch (kind) {
    case 'form':
      return 'application/x-www-form-urlencoded';
    case 'xml':
      return 'application/xml; charset=utf-8';
    case null:
    default:
      return 'application/json';
  }
}

function bodyOf({ http_body_kind, http_body }: HttpSettings, values: RequestValues): string {
  const template = http_body ?? '';
  switch (http_body_kind) {
    case 'form':
      return formOf(template, values);
    case 'xml':
      return fillRequest(template, values, escapeXml);
    case null:
    default:
      return template.replace(JSON_PART, (part) => jsonPart(part, values));
  }
}

function formOf(template: string, values: RequestValues): string {
  const form = new URLSearchParams();
  for (const line of template.split('\n')) {
    const [name = '', ...rest] = line.trim().split('=');
    if (name !== '') form.append(name.trim(), fillRequest(rest.join('=').trim(), values));
  }
  return form.toString();
}

/** Parsed and written again, so that no value can end a text. */
function jsonPart(part: string, values: RequestValues): string {
  if (part.startsWith('"')) {
    if (macrosIn(part).length === 0) return part;
    const text: unknown = JSON.parse(part);
    return JSON.stringify(fillRequest(String(text), values));
  }
  return fillRequest(part, values, (value, macro) => {
    if (value === '') return 'null';
    return isNumeric(macro) ? value : JSON.stringify(value);
  });
}
