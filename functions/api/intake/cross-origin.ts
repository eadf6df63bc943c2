/**
 * Lets pages of a source's own origins read the answers of the intake:
 * https://fetch.spec.whatwg.org/#http-cors-protocol
 */
import type { DataContext } from '#functions/data/context';
import * as sourceStore from '#functions/data/sources/source-store';
import type { ApiHandler } from '#functions/http/api';

/** How long a browser caches the answer; no browser accepts more than two hours. */
const PREFLIGHT_SECONDS = 7200;
/** Longer than any that a source can have. */
const MAX_ORIGIN_LENGTH = 500;

export function crossOrigin(handler: ApiHandler, context: DataContext): ApiHandler {
  return async (event, lambda) => {
    const origin = event.headers.origin ?? event.headers.Origin;
    if (origin === undefined || origin.length > MAX_ORIGIN_LENGTH) return handler(event, lambda);
    const [answer, isKnown] = await Promise.all([
      handler(event, lambda),
      sourceStore.mayPostFrom(context, origin),
    ]);
    return { ...answer, headers: { ...answer.headers, vary: 'Origin', ...(isKnown && allowed(origin)) } };
  };
}

const allowed = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-expose-headers': 'retry-after',
  'access-control-max-age': String(PREFLIGHT_SECONDS),
});
