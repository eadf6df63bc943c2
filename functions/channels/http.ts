/** The channel "HTTP": calls as described in the buyer's settings. */
import type { ChannelAdapter, ChannelDeps, Report } from '#functions/channels/channel';
import {
  type Call,
  CREDENTIALS_REFUSED,
  duplicate,
  idText,
  LEAD_REFUSED,
  notSent,
  RETRY_LATER,
  type Reading,
  rejection,
  reportOn,
  USER_AGENT,
  undelivered,
} from '#functions/channels/http-channel';
import { internationalPhone, nationalPhone } from '#functions/channels/phone';
import { redact, withoutSecrets } from '#functions/channels/redact';
import { signatureHeaders } from '#functions/channels/signature';
import { machineValues } from '#functions/channels/values';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import type { Encrypted } from '#functions/data/table/encrypted';
import type { HttpAnswer } from '#functions/net/http';
import { stepsOfAll, valueAt } from '#shared/rules/answer-path';
import { type Judgement, judge, parsedAnswer } from '#shared/rules/answer-rules';
import { SECRET_MASK } from '#shared/rules/constants';
import { serverOf } from '#shared/rules/destinations';
import { type BuiltRequest, buildRequest, httpProblems } from '#shared/rules/http-request';
import { lazy } from '#shared/rules/lazy';
import { type RequestLead, requestValues } from '#shared/rules/lead-values';

type HttpDeps = Pick<ChannelDeps, 'http' | 'cipher' | 'runtime'>;
type Format = 'known' | 'assumed';
export type HttpDelivery = Required<Omit<ChannelAdapter, 'longestMs'>>;

/** @param format `assumed` if the answers are not documented: then the HTTP status decides doubtful ones */
export function createHttpDelivery(deps: HttpDeps, format: Format): HttpDelivery {
  return {
    async send(payload, signal) {
      const prepared = await prepare(deps, payload);
      if (!prepared.ok) return prepared.report;
      return reportOn(callOf(deps, prepared, signal), (answer) => readingOf(payload, answer, format).reading);
    },

    async tryOut(payload, signal) {
      const prepared = await prepare(deps, payload);
      if (!prepared.ok) return { report: prepared.report, request: null, answer: null, judgement: null };
      const { shown, secrets, open } = prepared;
      let seen: HttpAnswer | undefined;
      let judgement: Judgement | null = null;
      const report = await reportOn(callOf(deps, prepared, signal), (answer) => {
        const read = readingOf(payload, answer, format);
        [seen, judgement] = [answer, read.judgement];
        return read.reading;
      });
      const hidden = (text: string) => withoutSecrets(text, secrets, open);
      return {
        report,
        request: {
          method: shown.method,
          url: hidden(shown.url),
          headers: mapValues(shown.headers, hidden),
          body: shown.body === undefined ? null : hidden(shown.body),
        },
        answer: seen === undefined ? null : shownAnswer(seen, secrets, open),
        judgement,
      };
    },

    destination: ({ buyer }) => serverOf(buyer.http_url ?? ''),
  };
}

type Prepared =
  | { readonly ok: false; readonly report: Report }
  | {
      readonly ok: true;
      readonly request: BuiltRequest;
      /** With masks in place of secrets. */
      readonly shown: BuiltRequest;
      readonly secrets: readonly string[];
      readonly open: readonly string[];
    };

const unsent = (error: string): Prepared => ({ ok: false, report: notSent(error) });

async function prepare({ cipher, runtime }: HttpDeps, payload: DeliveryPayload): Promise<Prepared> {
  const { buyer } = payload;
  const [problem] = Object.values(httpProblems(buyer));
  if (problem !== undefined) return unsent(`The buyer’s HTTP settings are invalid. ${problem}`);
  const isSigned = buyer.http_signature === 'standard_webhooks';
  const needsSecret = buyer.http_auth !== null && buyer.http_auth !== 'none';
  if ((needsSecret && buyer.http_secret === null) || (isSigned && buyer.http_signing_secret === null))
    return unsent('A secret of the HTTP settings is missing');
  const read = (secret: Encrypted | null) => (secret === null ? '' : cipher.decrypt(secret));
  let keys: { secret: string; secret2: string; signing: string };
  try {
    keys = {
      secret: needsSecret ? read(buyer.http_secret) : '',
      secret2: needsSecret ? read(buyer.http_second_secret) : '',
      signing: isSigned ? read(buyer.http_signing_secret) : '',
    };
  } catch {
    return unsent("A secret of the buyer's HTTP settings cannot be read; enter it again");
  }

  const lead = await requestLead(payload);
  const common = { 'user-agent': USER_AGENT };
  const built = buildRequest(buyer, requestValues(lead, keys));
  if (Object.values(built.headers).some((value) => NOT_FOR_HEADERS.test(value)))
    return unsent('The secret contains characters that are not allowed in a header; enter it again');
  const masks = { secret: SECRET_MASK, secret2: SECRET_MASK };
  const masked = buildRequest(buyer, requestValues(lead, masks));
  const signature = isSigned
    ? signatureHeaders({ id: messageId(payload), at: runtime.now(), body: built.body ?? '' }, [keys.signing])
    : undefined;
  return {
    ok: true,
    request: { ...built, headers: { ...common, ...built.headers, ...signature } },
    shown: {
      ...masked,
      headers: {
        ...common,
        ...masked.headers,
        ...(buyer.http_auth === 'basic' && { authorization: `Basic ${SECRET_MASK}` }),
        ...(signature && { ...signature, 'webhook-signature': SECRET_MASK }),
      },
    },
    secrets: [keys.secret, keys.secret2, keys.signing, `${buyer.http_user ?? ''}:${keys.secret}`].filter(
      (secret) => secret !== '' && secret !== ':',
    ),
    open: Object.values(requestValues(lead, { secret: '', secret2: '' })),
  };
}

/** Characters that Node refuses. Only a secret can contain them. */
const NOT_FOR_HEADERS = /[^\t -~\u0080-\u00ff]/;

/** The same for every attempt at one buyer. */
const messageId = ({ lead_id, buyer }: { readonly lead_id: string; readonly buyer: Pick<Buyer, 'buyer'> }) =>
  `lead_${lead_id}_${buyer.buyer}`;

async function requestLead(payload: DeliveryPayload): Promise<RequestLead> {
  const { telefon, anlagebetrag } = payload.person;
  return {
    texts: machineValues(payload),
    phone: { international: await internationalPhone(telefon), national: await nationalPhone(telefon) },
    cents: anlagebetrag,
    receivedAt: new Date(payload.received_at),
  };
}

function callOf(
  { http }: HttpDeps,
  { request, shown, secrets, open }: Extract<Prepared, { ok: true }>,
  signal: AbortSignal,
): Call {
  const { body, ...rest } = request;
  return {
    http,
    request: { ...rest, ...(body !== undefined && { body }) },
    summary: `${shown.method} ${shown.url} ${shown.body ?? ''}`,
    secrets,
    open,
    signal,
  };
}

function readingOf(
  { buyer, afterUnknown }: Pick<DeliveryPayload, 'buyer' | 'afterUnknown'>,
  { status, headers, body }: HttpAnswer,
  format: Format,
): { readonly reading: Reading | undefined; readonly judgement: Judgement } {
  const parsed = lazy(() => ({ value: parsedAnswer(body) }));
  const type = headers['content-type'] ?? '';
  const judgement = judge(buyer.http_rules, { status, type, body, parsed: () => parsed().value });
  const external_id = () => {
    const paths = stepsOfAll(buyer.http_id_path ?? '');
    const ids = paths.map((steps) => steps && idText(valueAt(parsed().value, steps)));
    return ids.find((id) => id !== undefined) ?? null;
  };
  const accepted = (): Reading => ({ outcome: 'delivered', external_id: external_id(), error: null });
  const alreadyThere = (): Reading => ({ ...duplicate(afterUnknown), external_id: external_id() });
  const isSuccess = status >= 200 && status < 300;
  // A partner's error may contain the words of a refusal, and a proxy's page may come with a success.
  const decidesByBody = buyer.http_rules[judgement.rule ?? -1]?.subject !== 'status';
  const isDoubtful =
    format === 'assumed' &&
    ((judgement.verdict === 'refused' && decidesByBody && !isSuccess && status !== 400 && status !== 422) ||
      (judgement.verdict === 'by_status' &&
        isSuccess &&
        body.trim() !== '' &&
        typeof parsed().value !== 'object'));
  const reading = (): Reading | undefined => {
    if (isDoubtful) return undefined;
    switch (judgement.verdict) {
      case 'accepted':
        return accepted();
      case 'duplicate':
        return alreadyThere();
      case 'refused':
        // A rule as wide as “4xx” also matches a refusal of our access.
        return status === 401 || status === 403
          ? CREDENTIALS_REFUSED
          : rejection({ status, text: body }, LEAD_REFUSED, afterUnknown);
      case 'retry':
        return RETRY_LATER;
      case 'unclear':
        return undelivered('unknown', 'No rule matches the partner’s answer');
      case 'by_status':
        if (isSuccess) return accepted();
        return status === 409 ? alreadyThere() : undefined;
    }
  };
  return { reading: reading(), judgement };
}

const SHOWN_HEADERS: ReadonlySet<string> = new Set([
  'content-type',
  'location',
  'retry-after',
  'www-authenticate',
  'x-request-id',
]);
const SHOWN_CHARACTERS = 4000;

type Texts = readonly string[];

function shownAnswer({ status, headers, body }: HttpAnswer, secrets: Texts, open: Texts) {
  const shown = Object.entries(headers).filter(([name]) => SHOWN_HEADERS.has(name));
  return {
    status,
    headers: mapValues(Object.fromEntries(shown), (text) => redact(text, secrets, open)),
    body: redact(body, secrets, open, SHOWN_CHARACTERS),
  };
}

const mapValues = (texts: Readonly<Record<string, string>>, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]));
