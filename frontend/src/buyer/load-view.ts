import { ApiError, callUnlessKnown } from '../app/api';
import type { LeadsView } from './view';

/** From the error catalogue; here, because every page loads this script. */
const LOAD_FAILED = 'Failed to load leads';
const LINK = /^\/leads\/([^/]+)\/?$/;

/** More than are visible at first. */
const FIRST_ROWS = 20;

let prefetched: { readonly token: string; readonly view: Promise<LeadsView> } | undefined;

/** False while only the first rows are loaded. */
export const isComplete = (view: LeadsView): boolean => view.partial !== true;

/** Requests the first rows while the page loads, which saves a round trip; the page requests the others. */
export function prefetchView(path: string): void {
  const token = LINK.exec(path)?.[1];
  if (token === undefined) return;
  const view = load(token, { newest: FIRST_ROWS });
  // The caller handles it.
  view.catch(() => {});
  prefetched = { token, view };
}

/** Uses the prefetched answer once, which may be incomplete. @throws ApiError */
export function loadView(token: string, signal: AbortSignal): Promise<LeadsView> {
  const first = prefetched;
  prefetched = undefined;
  return first?.token === token ? first.view : load(token, {}, signal);
}

/** An unchanged list is not sent again. */
let latest:
  | { readonly token: string; readonly view: LeadsView; readonly tag: string | undefined }
  | undefined;

async function load(
  token: string,
  query: { readonly newest?: number },
  signal?: AbortSignal,
): Promise<LeadsView> {
  const known = latest?.token === token ? latest : undefined;
  const { answer, tag, serverTime } = await callUnlessKnown(
    'viewLeads',
    { params: { token }, query },
    known?.tag,
    {
      fallbackText: LOAD_FAILED,
      ...(signal && { signal }),
    },
  );
  const view = answer ?? (known && { ...known.view, now: serverTime ?? known.view.now });
  if (view === undefined) throw new ApiError(LOAD_FAILED, 304, 'no_answer', {}, true);
  if (isComplete(view)) latest = { token, view, tag };
  return view;
}
