/** The pages at /local: mails, partner calls, queues, and switches that break them; at /local/table the stored items. */

import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { QUEUES } from '#functions/platform/functions';
import { parseJson } from '#functions/platform/parse-json';
import type { PageHandler } from '#local/gateway';
import { type Inbox, MAIL_MODES } from '#local/mail';
import { PARTNERS } from '#local/partner-answers';
import { PARTNER_MODES, type Partners } from '#local/partners';
import type { Queues } from '#local/queues';
import type { StreamPoller } from '#local/stream-poller';
import { itemQuery, listItems, listPartitions, partitionQuery } from '#local/table-browser';

export interface ConsoleContext extends DataContext {
  readonly inbox: Inbox;
  readonly partners: Partners;
  readonly queues: Queues;
  readonly streams: readonly Pick<StreamPoller, 'name' | 'position' | 'caughtUp'>[];
  readonly now: () => Date;
  readonly advance: (milliseconds: number) => Promise<void>;
}

const FOLDER = join(import.meta.dirname, 'console');
const PAGES: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  '/local': { file: 'page.html', type: 'text/html; charset=utf-8' },
  '/local/page.js': { file: 'page.js', type: 'text/javascript; charset=utf-8' },
  '/local/table': { file: 'table.html', type: 'text/html; charset=utf-8' },
  '/local/table.js': { file: 'table.js', type: 'text/javascript; charset=utf-8' },
  '/local/style.css': { file: 'style.css', type: 'text/css; charset=utf-8' },
};
/** The newest. */
const MAX_RECORDS_SHOWN = 200;
const MAX_BODY_CHARACTERS = 10_000;

const commandSchema = z.union([
  z.object({ mail: z.enum(MAIL_MODES) }),
  z.object({ partner: z.enum(PARTNERS), mode: z.enum(PARTNER_MODES) }),
  z.object({ clear: z.literal(true) }),
  /** Minutes. */
  z.object({
    advance: z.number().check(z.positive(), z.maximum(14 * 24 * 60)),
  }),
]);

/** `GET /local` and `/local/table` are the pages, `GET /local/api/…` their data, `POST /local/api/command` the switches. */
export function createConsole(deps: ConsoleContext): PageHandler {
  return async (request, response, url) => {
    const page = PAGES[url.pathname];
    if (request.method === 'GET' && page !== undefined) {
      response.writeHead(200, { 'content-type': page.type, 'cache-control': 'no-cache' });
      response.end(await readFile(join(FOLDER, page.file)));
    } else if (request.method === 'GET' && url.pathname === '/local/api/state') {
      send(response, 200, await state(deps));
    } else if (request.method === 'GET' && url.pathname === '/local/api/partitions') {
      const query = partitionQuery.safeParse(Object.fromEntries(url.searchParams));
      if (query.success) send(response, 200, await listPartitions(deps.table, query.data));
      else send(response, 400, { error: 'Unknown view', code: 'invalid_input' });
    } else if (request.method === 'GET' && url.pathname === '/local/api/items') {
      const query = itemQuery.safeParse(Object.fromEntries(url.searchParams));
      const page = query.success ? await listItems(deps.table, query.data) : undefined;
      if (page !== undefined) send(response, 200, page);
      else send(response, 400, { error: 'Unknown view or place', code: 'invalid_input' });
    } else if (request.method === 'POST' && url.pathname === '/local/api/command') {
      await command(deps, request, response);
    } else {
      send(response, 404, { error: 'Not found', code: 'not_found' });
    }
  };
}

async function state({ inbox, partners, queues, streams, now }: ConsoleContext) {
  const waiting = await Promise.all(
    QUEUES.map(async (name) => {
      const [content, dead] = await Promise.all([queues.content(name), queues.deadLetters(name)]);
      return {
        name,
        ready: content.ready.length,
        delayed: content.delayed.length,
        inflight: content.inflight.length,
        dead: dead.ready.map(({ body }) => body),
      };
    }),
  );
  return {
    now: now().toISOString(),
    mail: {
      port: inbox.port,
      mode: inbox.mode,
      modes: MAIL_MODES,
      total: inbox.mails.length,
      mails: inbox.mails.slice(-MAX_RECORDS_SHOWN).reverse(),
    },
    partners: {
      host: partners.host,
      current: partners.modes,
      modes: PARTNER_MODES,
      total: partners.calls.length,
      calls: partners.calls.slice(-MAX_RECORDS_SHOWN).reverse(),
    },
    queues: waiting,
    streams: await Promise.all(
      streams.map(async (stream) => ({
        name: stream.name,
        position: stream.position,
        caughtUp: await stream.caughtUp(),
      })),
    ),
  };
}

async function command(
  deps: ConsoleContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Forms of other sites cannot send this type without a preflight.
  if (!request.headers['content-type']?.startsWith('application/json')) {
    send(response, 415, { error: 'Send JSON', code: 'unsupported_media_type' });
    return;
  }
  const parsed = commandSchema.safeParse(await readJson(request));
  if (!parsed.success) {
    send(response, 400, { error: 'Unknown command', code: 'invalid_input' });
    return;
  }
  const wanted = parsed.data;
  if ('mail' in wanted) deps.inbox.mode = wanted.mail;
  else if ('partner' in wanted) deps.partners.modes[wanted.partner] = wanted.mode;
  else if ('advance' in wanted) await deps.advance(wanted.advance * 60_000);
  else {
    deps.inbox.clear();
    deps.partners.clear();
  }
  send(response, 200, await state(deps));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) {
    text += Buffer.from(chunk).toString();
    if (text.length > MAX_BODY_CHARACTERS) return undefined;
  }
  return parseJson(text);
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(value));
}
