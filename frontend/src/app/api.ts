import { type EndpointId, routes } from '#shared/contract/routes';
import type { Answer, Sent } from '#shared/contract/schemas';
import { SERVER_TIME_HEADER } from '#shared/contract/web-headers';

/** The endpoints that answer with JSON; the others are downloads, see `fileUrl`. */
export type JsonEndpoint = {
  [Id in EndpointId]: Answer<Id> extends 'file' ? never : Id;
}[EndpointId];
type FileEndpoint = Exclude<EndpointId, JsonEndpoint>;

/** What a call takes: only those of `params`, `query` and `body` that its contract names. */
export type Input<Id extends EndpointId> = {
  [Part in 'params' | 'query' | 'body' as Sent<Id, Part> extends undefined ? never : Part]: Sent<Id, Part>;
};

interface Options {
  /** The text to show when the server gives none, from the error catalogue. */
  readonly fallbackText?: string;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** The call is made even while its page goes away. Browsers allow 64 KB for all such calls together. */
  readonly keepalive?: boolean;
}

const DEFAULT_TEXT = 'Something went wrong. Please try again.';
const NOT_MODIFIED = 304;

/** A call that failed. `message` is the text to show. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    message: string,
    /** The HTTP status; 0 when no answer came. */
    readonly status: number,
    /** The server's stable code, such as `limit_reached`. */
    readonly code?: string,
    /** One text per refused field of the request. */
    readonly fields: Readonly<Record<string, string>> = {},
    /** The server gave no text of its own; the place that shows it may know a better one. */
    readonly isDefault = false,
  ) {
    super(message);
  }
}

/** Told by the answers to admin calls whether there is a session; both may be told again and again. */
interface SessionWatcher {
  readonly lost: () => void;
  readonly found: () => void;
}

let sessionWatcher: SessionWatcher | undefined;
/** Calls after which another session is open. */
const OPENS_SESSION: ReadonlySet<EndpointId> = new Set([
  'login',
  'passkeyLogin',
  'finishLogin',
  'acceptInvitation',
]);

/** Counts what became of the session: an answer to a call that began before the latest change says nothing of it. */
let sessionChanges = 0;

/** Sets who is told; returns a function that takes it back. */
export function watchSession(watcher: SessionWatcher): () => void {
  sessionWatcher = watcher;
  return () => {
    sessionWatcher = undefined;
  };
}

/** Somebody found by other means than a call that there is no session any more. */
export function sessionLost(): void {
  sessionChanges += 1;
  sessionWatcher?.lost();
}

/**
 * Calls an endpoint of the contract.
 * @throws ApiError with the text to show: the answer's `error`, else its `message`, else `fallbackText`
 */
export async function call<Id extends JsonEndpoint>(
  id: Id,
  input: Input<Id>,
  options: Options = {},
): Promise<Answer<Id>> {
  return read(await responseOf(id, input, options), options);
}

/** An answer with the tag under which it can be asked for again. */
export interface Tagged<T> {
  readonly answer: T;
  readonly tag: string | undefined;
}

/**
 * As `call`, for what is asked for again and again: where the server says that nothing has changed, `answer` is
 * undefined.
 * @param known the tag of the answer that the page has
 */
export async function callUnlessKnown<Id extends JsonEndpoint>(
  id: Id,
  input: Input<Id>,
  known: string | undefined,
  options: Options = {},
): Promise<Tagged<Answer<Id> | undefined> & { readonly serverTime: string | undefined }> {
  const headers = { ...options.headers, ...(known !== undefined && { 'if-none-match': known }) };
  const response = await responseOf(id, input, { ...options, headers });
  return {
    answer: response.status === NOT_MODIFIED ? undefined : await read(response, options),
    tag: response.headers.get('etag') ?? undefined,
    serverTime: response.headers.get(SERVER_TIME_HEADER) ?? undefined,
  };
}

/** @throws ApiError unless it is a success, or what the caller has already */
async function responseOf<Id extends JsonEndpoint>(
  id: Id,
  input: Input<Id>,
  { fallbackText = DEFAULT_TEXT, signal, headers, keepalive = false }: Options,
): Promise<Response> {
  const began = sessionChanges;
  const { method, access } = routes[id];
  const parts: { params?: object; query?: object; body?: unknown } = input;
  const request: RequestInit = {
    method,
    credentials: 'same-origin',
    keepalive,
    headers: {
      accept: 'application/json',
      ...(parts.body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  };
  if (signal) request.signal = signal;
  if (parts.body !== undefined) request.body = JSON.stringify(parts.body);

  let response: Response;
  try {
    response = await send(pathOf(id, parts), request);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(fallbackText, 0, 'no_answer', {}, true);
  }
  if (!response.ok && response.status !== NOT_MODIFIED) {
    if (response.status === 401 && access === 'admin' && began === sessionChanges) sessionLost();
    throw await errorOf(response, fallbackText);
  }
  if (OPENS_SESSION.has(id)) sessionChanges += 1;
  else if (access === 'admin' && began === sessionChanges) sessionWatcher?.found();
  return response;
}

/** @throws ApiError for what is no JSON */
async function read<T>(response: Response, { fallbackText = DEFAULT_TEXT }: Options): Promise<T> {
  try {
    return await response.json();
  } catch {
    throw new ApiError(fallbackText, response.status, 'not_json', {}, true);
  }
}

/** Writes that are under way, by what they ask for. */
const writesInFlight = new Map<string, Promise<Response>>();

/** As `fetch`; but a write that is asked for again while it is under way, by a double click perhaps, is sent once. */
async function send(path: string, request: RequestInit): Promise<Response> {
  if (request.method === 'GET') return fetch(path, request);
  const write = JSON.stringify([request.method, path, request.body]);
  const sent = writesInFlight.get(write) ?? fetch(path, request).finally(() => writesInFlight.delete(write));
  writesInFlight.set(write, sent);
  return (await sent).clone();
}

/** The address of a download. */
export function fileUrl<Id extends FileEndpoint>(id: Id, input: Input<Id>): string {
  return pathOf(id, input);
}

function pathOf(id: EndpointId, parts: { params?: object; query?: object }): string {
  let path: string = routes[id].path;
  for (const [name, value] of Object.entries(parts.params ?? {}))
    path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts.query ?? {}))
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  return query.size > 0 ? `${path}?${query}` : path;
}

async function errorOf(response: Response, fallbackText: string): Promise<ApiError> {
  const answer: unknown = await response.json().catch(() => undefined);
  const text = textOf(answer, 'error') ?? textOf(answer, 'message');
  return new ApiError(
    text ?? fallbackText,
    response.status,
    textOf(answer, 'code'),
    fieldsOf(answer),
    text === undefined,
  );
}

function textOf(answer: unknown, name: string): string | undefined {
  const value = propertyOf(answer, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function fieldsOf(answer: unknown): Record<string, string> {
  const fields = propertyOf(answer, 'fields');
  const texts: Record<string, string> = {};
  if (typeof fields === 'object' && fields !== null)
    for (const [name, text] of Object.entries(fields)) if (typeof text === 'string') texts[name] = text;
  return texts;
}

function propertyOf(value: unknown, name: string): unknown {
  return Reflect.get(Object(value), name);
}
