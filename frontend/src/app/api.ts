import { type EndpointId, routes } from '#shared/contract/routes';
import type { Answer, Sent } from '#shared/contract/schemas';
import { SERVER_TIME_HEADER } from '#shared/contract/web-headers';
import { connection, isGatewayStatus } from './connection';

/** The others are downloads, see `fileUrl`. */
export type JsonEndpoint = {
  [Id in EndpointId]: Answer<Id> extends 'file' ? never : Id;
}[EndpointId];
type FileEndpoint = Exclude<EndpointId, JsonEndpoint>;

export type Input<Id extends EndpointId> = {
  [Part in 'params' | 'query' | 'body' as Sent<Id, Part> extends undefined ? never : Part]: Sent<Id, Part>;
};

interface Options {
  /** If the server gives no text, from the error catalogue. */
  readonly fallbackText?: string;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Survives leaving the page. Browsers allow 64 KB for all such calls. */
  readonly keepalive?: boolean;
}

const DEFAULT_TEXT = 'Something went wrong. Please try again.';
const NOT_MODIFIED = 304;
/** The gateway answers after 30 seconds. */
const TIMEOUT_MS = 40_000;

export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    message: string,
    /** 0: no answer. */
    readonly status: number,
    /** Such as `limit_reached`. */
    readonly code?: string,
    readonly fields: Readonly<Record<string, string>> = {},
    /** The server gave no text, so the caller may know a better one. */
    readonly isDefault = false,
  ) {
    super(message);
  }
}

/** The server was not reached, or its answer was lost. Its own refusals have a code. */
export function isUnreachable(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    (error.status === 0 || (isGatewayStatus(error.status) && error.code === undefined))
  );
}

/** What a link or an address names does not exist, or the address is incomplete. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);

/** Called after admin calls, also repeatedly. */
interface SessionWatcher {
  readonly lost: () => void;
  readonly found: () => void;
}

let sessionWatcher: SessionWatcher | undefined;
/** They open a new session. */
const OPENS_SESSION: ReadonlySet<EndpointId> = new Set([
  'login',
  'passkeyLogin',
  'finishLogin',
  'acceptInvitation',
]);

/** Answers to calls from before the last change do not count. */
let sessionChanges = 0;

export function watchSession(watcher: SessionWatcher): () => void {
  sessionWatcher = watcher;
  return () => {
    sessionWatcher = undefined;
  };
}

/** For evidence other than an API call. */
export function sessionLost(): void {
  sessionChanges += 1;
  sessionWatcher?.lost();
}

/** @throws ApiError with the answer's `error`, else `message`, else `fallbackText` */
export async function call<Id extends JsonEndpoint>(
  id: Id,
  input: Input<Id>,
  options: Options = {},
): Promise<Answer<Id>> {
  return read(await responseOf(id, input, options), options);
}

export interface Tagged<T> {
  readonly answer: T;
  readonly tag: string | undefined;
}

/** For repeated requests: `answer` is undefined if nothing has changed. @param known the tag of the previous answer */
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

/** 304 is no error. */
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
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  request.signal = signal ? AbortSignal.any([signal, timeout]) : timeout;
  if (parts.body !== undefined) request.body = JSON.stringify(parts.body);

  let response: Response;
  try {
    response = await send(pathOf(id, parts), request);
  } catch (error) {
    if (signal?.aborted) throw error;
    connection.unanswered();
    throw new ApiError(fallbackText, 0, 'no_answer', {}, true);
  }
  if (!response.ok && response.status !== NOT_MODIFIED) {
    if (response.status === 401 && access === 'admin' && began === sessionChanges) sessionLost();
    const error = await errorOf(response, fallbackText);
    if (isUnreachable(error)) connection.unanswered();
    else connection.answered();
    throw error;
  }
  connection.answered();
  if (OPENS_SESSION.has(id)) sessionChanges += 1;
  else if (access === 'admin' && began === sessionChanges) sessionWatcher?.found();
  return response;
}

/** @throws ApiError unless it is JSON */
async function read<T>(response: Response, { fallbackText = DEFAULT_TEXT }: Options): Promise<T> {
  try {
    return await response.json();
  } catch {
    throw new ApiError(fallbackText, response.status, 'not_json', {}, true);
  }
}

const writesInFlight = new Map<string, Promise<Response>>();

/** A write that is repeated while it is in flight, for example by a double click, is sent once. */
async function send(path: string, request: RequestInit): Promise<Response> {
  if (request.method === 'GET') return fetch(path, request);
  const write = JSON.stringify([request.method, path, request.body]);
  const sent = writesInFlight.get(write) ?? fetch(path, request).finally(() => writesInFlight.delete(write));
  writesInFlight.set(write, sent);
  return (await sent).clone();
}

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
