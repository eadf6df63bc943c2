/** The partners' APIs on one loopback port: they record calls, and can be set to misbehave. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Environment } from '#functions/platform/environment';
import { parseJson } from '#functions/platform/parse-json';
import { createHostCheck } from '#local/host-check';
import { listenNear } from '#local/listen';
import { type Mail, readMail, sesId } from '#local/mail';
import {
  ANSWER_KINDS,
  answerOf,
  PARTNER_ADDRESSES,
  PARTNERS,
  type Partner,
  type PartnerRequest,
} from '#local/partner-answers';
import { record } from '#shared/rules/lead-fields';

/**
 * `hang` never answers, `cut` closes the connection within the answer, `garbage` and `html` answer 200 with something else,
 * `slow` takes over three seconds.
 */
export const PARTNER_MODES = [...ANSWER_KINDS, 'hang', 'cut', 'garbage', 'html', 'slow'] as const;
export type PartnerMode = (typeof PARTNER_MODES)[number];

export interface PartnerCall {
  readonly id: string;
  readonly at: string;
  readonly partner: Partner;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly mode: PartnerMode;
}

/** Takes precedence over the mode. */
export type PartnerRule = (request: PartnerRequest) => PartnerMode;

export interface Partners {
  readonly port: number;
  readonly host: string;
  /** Directs all calls to external services here. */
  readonly environment: Readonly<Partial<Record<keyof Environment, string>>>;
  readonly calls: readonly PartnerCall[];
  readonly modes: Record<Partner, PartnerMode>;
  readonly rules: Partial<Record<Partner, PartnerRule>>;
  clear(): void;
  stop(): Promise<void>;
}

export interface PartnersOptions {
  /** Used if free, else any; 0: any. */
  readonly port: number;
  readonly now: () => Date;
  readonly onPlatformMail: (mail: Mail, id: string) => void;
}

const MAX_CALLS_KEPT = 5000;
const SLOW_MS = 3000;
const MAX_BODY_BYTES = 1024 * 1024;

const SES_PATH = '/ses';

export async function startPartners(options: PartnersOptions): Promise<Partners> {
  const calls: PartnerCall[] = [];
  const modes = record(PARTNERS, (): PartnerMode => 'ok');
  const rules: Partial<Record<Partner, PartnerRule>> = {};

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await receive(request, options.now());
    if (received.path.startsWith(SES_PATH)) {
      const id = sesId();
      response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(sesAnswer(id, received.fields.Action === 'SendRawEmail' ? 'SendRawEmail' : 'SendEmail'));
      options.onPlatformMail(await platformMail(received), id);
      return;
    }
    const partner = PARTNERS.find((name) => received.path.startsWith(PARTNER_ADDRESSES[name].path));
    if (partner === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not found"}');
      return;
    }
    const mode = rules[partner]?.(received) ?? modes[partner];
    const { now, ...rest } = received;
    calls.push({ ...rest, id: randomUUID(), at: now.toISOString(), partner, mode });
    if (calls.length > MAX_CALLS_KEPT) calls.shift();
    respond(partner, mode, received, request, response);
  };

  // Otherwise a web page could forge a mail in the inbox.
  const refuseForeign = createHostCheck('127.0.0.1', undefined, () => false);
  const server = createServer((request, response) => {
    if (refuseForeign(request, response)) return;
    handle(request, response).catch(() => response.destroy());
  });
  const port = await listenNear(server, options.port);
  const base = `http://localhost:${port}`;

  return {
    port,
    host: `localhost:${port}`,
    environment: {
      ...partnerEnvironment(base),
      OPERATOR_EMAIL: 'operator@localhost.example',
      SES_FROM: 'platform@localhost.example',
      SES_ENDPOINT: base + SES_PATH,
    },
    calls,
    modes,
    rules,
    clear() {
      calls.length = 0;
    },
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function partnerEnvironment(base: string): Partners['environment'] {
  return Object.fromEntries(
    Object.values(PARTNER_ADDRESSES).flatMap(({ path, environment }) =>
      Object.entries(environment(base + path)),
    ),
  );
}

function respond(
  partner: Partner,
  mode: PartnerMode,
  received: PartnerRequest,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  switch (mode) {
    case 'hang':
      return;
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"status":', () => request.socket.destroy());
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' }).end('\u0000%%{"status"');
      return;
    case 'html':
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Maintenance</title><h1>We will be back soon</h1>');
      return;
    case 'slow':
      setTimeout(() => respond(partner, 'ok', received, request, response), SLOW_MS).unref();
      return;
    case 'ok':
    case 'duplicate':
    case 'reject':
    case 'wrong-credentials':
    case '429':
    case '500': {
      const { status, headers, body } = answerOf(partner, mode, received);
      response.writeHead(status, headers).end(body);
    }
  }
}

async function receive(request: IncomingMessage, now: Date): Promise<PartnerRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) throw new Error('Request too large');
    chunks.push(bytes);
  }
  const body = Buffer.concat(chunks).toString();
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers,
    body,
    fields: readFields(body, headers['content-type'] ?? ''),
    now,
  };
}

function readFields(body: string, type: string): Record<string, unknown> {
  if (type.includes('form')) return Object.fromEntries(new URLSearchParams(body));
  const value = parseJson(body);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** SES, query protocol: https://docs.aws.amazon.com/ses/latest/APIReference/API_SendEmail.html */
async function platformMail({ fields, now }: PartnerRequest): Promise<Mail> {
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  const at = now.toISOString();
  if (text('Action') === 'SendRawEmail')
    return readMail(Buffer.from(text('RawMessage.Data'), 'base64'), {
      at,
      from: text('Source'),
      to: [text('Destinations.member.1')],
    });
  return {
    at,
    from: text('Source'),
    to: [text('Destination.ToAddresses.member.1')],
    subject: text('Message.Subject.Data'),
    text: text('Message.Body.Text.Data'),
  };
}

function sesAnswer(id: string, action: 'SendEmail' | 'SendRawEmail'): string {
  return `<${action}Response xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><${action}Result><MessageId>${id}</MessageId></${action}Result><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${action}Response>`;
}
