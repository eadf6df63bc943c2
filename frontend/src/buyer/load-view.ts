import { ApiError, callUnlessKnown } from '../app/api';
import type { LeadsView } from './view';

/** Of the error catalogue; here, so that the page's texts do not weigh on every page's first script. */
const LOAD_FAILED = 'Failed to load leads';
const LINK = /^\/leads\/([^/]+)\/?$/;

/** More than are in sight when the page opens. */
const FIRST_ROWS = 20;

let prefetched: { readonly token: string; readonly view: Promise<LeadsView> } | undefined;

/** False while only the first rows of a list are here. */
export const isComplete = (view: LeadsView): boolean => view.partial !== true;

/**
 * Asks for the first rows of a link's list while the page itself is still on its way; on a phone that is one round trip
 * less. However long the list is, they come at once; the page then asks for the others.
 * Does nothing on any other path.
 */
export function prefetchView(path: string): void {
  const token = LINK.exec(path)?.[1];
  if (token === undefined) return;
  const view = load(token, { newest: FIRST_ROWS });
  // Whoever takes it handles its failure; until then it is not an unhandled one.
  view.catch(() => {});
  prefetched = { token, view };
}

/**
 * The list behind a link: what was asked for early, the first time, else asked for now. Only the first answer may be
 * incomplete.
 * @throws ApiError with the text to show
 */
export function loadView(token: string, signal: AbortSignal): Promise<LeadsView> {
  const first = prefetched;
  prefetched = undefined;
  return first?.token === token ? first.view : load(token, {}, signal);
}

/** The last answer of the server: while nothing changes, the list is not sent again. */
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
