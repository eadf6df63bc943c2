/** Calls back: by a signed webhook (Standard Webhooks), or by the GET of a source's postback. */
import type { Report } from '#functions/channels/channel';
import {
  misconfigured,
  notSent,
  type Reading,
  reportOn,
  USER_AGENT,
  undelivered,
} from '#functions/channels/http-channel';
import { signatureHeaders } from '#functions/channels/signature';
import type { Encrypted } from '#functions/data/table/encrypted';
import type { Cipher } from '#functions/keys/cipher';
import type { Http } from '#functions/net/http';
import type { Runtime } from '#functions/platform/runtime';
import type { Endpoint } from '#shared/rules/constants';
import { fillPostback, type PostbackValues } from '#shared/rules/postback';

/** Contains nothing about the person. */
export interface CallbackContent {
  /** The same for every attempt. */
  readonly id: string;
  readonly event: string;
  readonly status: string;
  /** Orders the events of a lead. */
  readonly sequence: number;
  readonly occurred_at: string;
  readonly received_at: string;
  readonly lead_id: string;
  readonly external_id: string | null;
  readonly clickId: string | null;
  readonly reason: string | null;
  /** In cents. Only postbacks have it: their receivers know no other data of the lead. */
  readonly amount: number | null;
  /** Null also if the source may not see it. */
  readonly buyer: string | null;
}

/** To a webhook of the installation. Contains nothing about a person. */
export interface EventContent extends Pick<CallbackContent, 'id' | 'event' | 'occurred_at'> {
  readonly data: Readonly<Record<string, unknown>>;
}

export type Content = CallbackContent | EventContent;

export interface Receiver {
  readonly endpoint: Endpoint;
  readonly url: string;
  /** Of a webhook: two while one replaces the other. */
  readonly secrets: readonly Encrypted[];
}

/** Never throws: every failure is a report. */
export type SendCallback = (to: Receiver, content: Content, signal: AbortSignal) => Promise<Report>;

export const GONE = 410;

export function createCallbackSender(deps: {
  readonly http: Http;
  readonly cipher: Pick<Cipher, 'decrypt'>;
  readonly runtime: Pick<Runtime, 'now'>;
}): SendCallback {
  return async ({ endpoint, url, secrets }, content, signal) => {
    const call = { http: deps.http, signal, receiver: 'receiver' };
    if (endpoint === 'postback' && !('data' in content)) {
      const values = postbackValues(content);
      const target = fillPostback(url, values, encoded);
      const sent = Object.entries(values).flatMap(([name, value]) =>
        url.includes(`{${name}}`) ? [`${name}=${value}`] : [],
      );
      const request = { method: 'GET', url: target, headers: { 'user-agent': USER_AGENT } } as const;
      const summary = `GET ${target} ${sent.join(' ')}`;
      return reportOn({ ...call, request, summary, secrets: [], open: sent }, readingOf);
    }
    const keys = signingKeys(deps.cipher, secrets);
    if (keys === undefined || keys.length === 0) return notSent('The signing secret cannot be read');
    const body = JSON.stringify(bodyOf(content));
    const request = {
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        ...signatureHeaders({ id: content.id, at: deps.runtime.now(), body }, keys),
      },
      body,
    } as const;
    return reportOn({ ...call, request, summary: `POST ${url} ${body}`, secrets: keys, open: [] }, readingOf);
  };
}

function signingKeys(cipher: Pick<Cipher, 'decrypt'>, secrets: readonly Encrypted[]): string[] | undefined {
  try {
    return secrets.map((secret) => cipher.decrypt(secret));
  } catch {
    return undefined;
  }
}

const bodyOf = (content: Content) => ({
  type: content.event,
  timestamp: content.occurred_at,
  data: 'data' in content ? content.data : dataOf(content),
});

function dataOf(content: CallbackContent): object {
  const { lead_id, external_id, clickId, status, reason, sequence, received_at, buyer } = content;
  return { lead_id, external_id, clickId, status, reason, sequence, received_at, buyer };
}

function postbackValues(content: CallbackContent): PostbackValues {
  return {
    clickId: content.clickId ?? '',
    status: content.status,
    event: content.event,
    eventId: content.id,
    externalId: content.external_id ?? '',
    leadId: content.lead_id,
    reason: content.reason ?? '',
    buyer: content.buyer ?? '',
    amount: content.amount === null ? '' : (content.amount / 100).toFixed(2),
    currency: 'EUR',
    sequence: String(content.sequence),
    timestamp: content.occurred_at,
  };
}

/** Dots alone would be steps in a path. */
const encoded = (value: string) => (/^\.+$/.test(value) ? '' : encodeURIComponent(value.toWellFormed()));

/** Everything except success and 410 is retried, because the receiver may be repaired. */
function readingOf({ status }: { readonly status: number }): Reading {
  if (status >= 200 && status < 300) return { outcome: 'delivered', external_id: null, error: null };
  if (status === GONE) return misconfigured('The receiver is gone (410)');
  if (status >= 300 && status < 400)
    return undelivered('transient', 'The receiver redirected; redirects are not followed');
  return undelivered(status >= 500 ? 'unknown' : 'transient', `The receiver answered ${status}`);
}
