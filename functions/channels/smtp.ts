/** Sends one e-mail by the mail server of a template. Formats and error codes: nodemailer 10, RFC 5321. */
import { isIP, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { domainToASCII } from 'node:url';
import type * as Nodemailer from 'nodemailer';
import * as z from 'zod/mini';
import { bounceOf, sesMessageId } from '#functions/channels/bounce';
import type { Report } from '#functions/channels/channel';
import { redact } from '#functions/channels/redact';
import type { Template } from '#functions/data/administration/template';
import type { Cipher } from '#functions/keys/cipher';
import { unsubscribeHeaders } from '#functions/mail/unsubscribe-headers';
import { AddressRefused, type Guard, isPublicAddress } from '#functions/net/guard';
import { openSocket } from '#functions/net/socket';
import { singleLine } from '#shared/rules/macros';
import { type SenderProblem, senderOf, senderProblem } from '#shared/rules/sender';
import { isEmailAddress } from '#shared/rules/validation';

export interface SmtpTimeouts {
  readonly connect: number;
  readonly greeting: number;
  /** From the greeting until the whole message was sent. Nothing can have arrived before. */
  readonly handOver: number;
  /** From then until the server confirms it. */
  readonly confirmation: number;
}

/**
 * Timeouts before the hand-over cost only time, so these are short. Afterwards the server probably has the message, and
 * a repetition is a copy. Hence the ten minutes of RFC 5321, 4.5.3.2.6.
 */
export const DELIVERY_TIMEOUTS_MS: SmtpTimeouts = {
  connect: 10_000,
  greeting: 10_000,
  handOver: 40_000,
  confirmation: 600_000,
};

export function longestCallMs(timeouts: SmtpTimeouts): number {
  return timeouts.connect + timeouts.greeting + timeouts.handOver + timeouts.confirmation;
}

const IMPLICIT_TLS_PORT = 465;
const SENDER_PROBLEMS: Readonly<Record<SenderProblem, string>> = {
  relay_port: 'Port 25 cannot be used; use 587 or 465',
  no_sender: 'The template has no valid from address',
};

export interface Message {
  /** Never that of the lead. */
  readonly to: string;
  readonly replyTo?: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** The part before the `@`. A repeated message has the same one, so that receivers can drop the second. */
  readonly messageId: string;
  readonly token?: string;
  /** Of notifications: where a POST unsubscribes (RFC 8058). */
  readonly unsubscribe?: string;
}

export interface SmtpDeps {
  readonly guard: Guard;
  readonly cipher: Cipher;
  readonly timeouts?: SmtpTimeouts;
  readonly mail?: Mail | undefined;
}
export type Mail = (message: Message, timeouts: SmtpTimeouts) => Promise<Report>;

/** Never throws. TLS is required, except for a server at a private address where those are allowed. */
export async function sendOverSmtp(
  deps: SmtpDeps,
  template: Template,
  message: Message,
  signal: AbortSignal,
): Promise<Report> {
  const from = senderOf(template);
  const domain = from.slice(from.indexOf('@') + 1);
  const token = message.token ?? '';
  const request = redact(`to ${message.to}, subject "${message.subject}", by ${template.smtp_host}`, [token]);
  const misconfigured = { ...NOTHING, outcome: 'permanent', misconfigured: true, request } as const;
  const refuse = (error: string): Report => ({ ...misconfigured, error });
  const problem = senderProblem(template);
  if (problem !== undefined) return refuse(SENDER_PROBLEMS[problem]);
  if (!isEmailAddress(message.to)) return refuse('The recipient is not a valid e-mail address');

  let password: string;
  try {
    password = deps.cipher.decrypt(template.smtp_pass);
  } catch {
    return refuse("The template's password cannot be read; enter it again");
  }
  const host = template.smtp_host.replace(/:\d+$/, '');
  const open = [message.to, from, host, template.smtp_user, message.replyTo?.address ?? ''];
  const clean = (answer: string) => redact(answer, [password, token], open);
  const timeouts = deps.timeouts ?? DELIVERY_TIMEOUTS_MS;
  if (deps.mail !== undefined) return deps.mail(message, timeouts);
  const phase = limitPhases(timeouts);
  let socket: Socket | undefined;
  try {
    // On demand: most functions that import this module rarely send e-mail.
    const { createTransport } = await import('nodemailer');
    socket = await openSocket(deps.guard, { host, port: template.smtp_port, timeout: timeouts.connect });
    phase.begin();
    const info = await transport(
      createTransport,
      deps.guard,
      { template, host, password, socket },
      {
        timeouts,
        handedOver: phase.handedOver,
      },
    ).sendMail({
      from: { name: '', address: from },
      to: { name: '', address: message.to },
      envelope: { from, to: [message.to] },
      ...(message.replyTo && isInHeader(message.replyTo.address) && { replyTo: message.replyTo }),
      subject: singleLine(message.subject),
      text: message.text,
      ...(message.html && { html: message.html }),
      messageId: `<${message.messageId}@${domainToASCII(domain) || domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(message) },
      disableFileAccess: true,
      disableUrlAccess: true,
      signal: AbortSignal.any([signal, phase.signal]),
    });
    // A server may accept the message but refuse the recipient; nodemailer then resolves.
    if (info.rejected.length > 0) {
      const failure = info.rejectedErrors?.[0];
      return describe(failure ?? new Error('Recipient refused'), request, clean, phase.isHandedOver());
    }
    return {
      outcome: 'delivered',
      status_code: smtpCode(info.response),
      request,
      answer: clean(info.response),
      external_id: sesMessageId(info.response),
      error: null,
    };
  } catch (error) {
    return describe(error, request, clean, phase.isHandedOver());
  } finally {
    phase.end();
    socket?.destroy();
  }
}

/** nodemailer encodes a domain with umlauts, but not the part before the `@`, which servers may refuse. */
const isInHeader = (address: string): boolean => isEmailAddress(address) && /^[ -~]+@/.test(address);

function limitPhases(timeouts: SmtpTimeouts) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let whole = false;
  const limit = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(), milliseconds);
  };
  return {
    signal: controller.signal,
    begin: () => limit(timeouts.greeting + timeouts.handOver),
    handedOver: () => {
      whole = true;
      limit(timeouts.confirmation);
    },
    isHandedOver: () => whole,
    end: () => clearTimeout(timer),
  };
}

const NOTHING = { status_code: null, answer: null, external_id: null } as const;

interface Connection {
  readonly template: Template;
  readonly host: string;
  readonly password: string;
  readonly socket: Socket;
}

function transport(
  createTransport: typeof Nodemailer.createTransport,
  guard: Guard,
  { template, host, password, socket }: Connection,
  { timeouts, handedOver }: { readonly timeouts: SmtpTimeouts; readonly handedOver: () => void },
) {
  const secure = template.smtp_port === IMPLICIT_TLS_PORT;
  const inside = guard.allowPrivate && !isPublicAddress(socket.remoteAddress ?? '');
  const created = createTransport({
    connection: socket,
    host,
    port: template.smtp_port,
    secure,
    requireTLS: !secure && !inside,
    auth: { user: template.smtp_user, pass: password },
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.greeting,
    // Idle time; the phases have their own limits.
    socketTimeout: longestCallMs(timeouts),
    tls: {
      minVersion: 'TLSv1.2',
      ...(isIP(host) === 0 && { servername: host }),
      // A mail server at a private address has no certificate of a public authority.
      ...(inside && { rejectUnauthorized: false }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  created.use('stream', (mail, done) => {
    mail.message.processFunc((input) => Readable.from(trackReading(input, handedOver)));
    done();
  });
  return created;
}

/**
 * A generator is read only once the server asks for the message; a transform stream would buffer a short one before.
 */
async function* trackReading(message: AsyncIterable<unknown>, handedOver: () => void): AsyncGenerator {
  yield* message;
  handedOver();
}

const smtpErrorSchema = z.object({
  code: z.catch(z.string(), ''),
  /** The operating system's code, where `code` is nodemailer's. */
  originalCode: z.catch(z.string(), ''),
  /** `CONN` before the first command. */
  command: z.catch(z.string(), ''),
  responseCode: z.catch(z.nullable(z.int().check(z.positive())), null),
  response: z.catch(z.nullable(z.string()), null),
  permanent: z.catch(z.boolean(), false),
});

function describe(
  error: unknown,
  request: string,
  clean: (answer: string) => string,
  handedOver: boolean,
): Report {
  const { code, originalCode, command, responseCode, response, permanent } = smtpErrorSchema.parse(
    typeof error === 'object' ? error : {},
  );
  const report = (outcome: Report['outcome'], text: string, misconfigured = false): Report => ({
    outcome,
    misconfigured,
    status_code: responseCode,
    request,
    answer: response === null ? null : clean(response),
    external_id: null,
    error: text,
  });
  const refusedFor = permanent ? 'permanent' : 'transient';
  if (error instanceof AddressRefused)
    return report('permanent', 'The mail server has no public address', true);
  // Nothing was sent. A certificate may be renewed; a server without TLS is a wrong setting.
  if (code === 'ETLS' || /CERT|TLS|SSL/.test(originalCode))
    return report(refusedFor, 'No secure connection to the mail server', true);
  if (responseCode !== null) {
    if (code === 'EAUTH') return report(refusedFor, 'The mail server refused the login', true);
    // Commands before the recipient are the same for every lead.
    if (command !== 'RCPT TO' && command !== 'DATA')
      return report(
        refusedFor,
        `The mail server refused the ${command === 'MAIL FROM' ? 'sender' : 'connection'}`,
        true,
      );
    const bounce = bounceOf(command, responseCode, response ?? '');
    const what = code === 'EENVELOPE' ? 'recipient' : 'message';
    return { ...report(refusedFor, `The mail server refused the ${what}`), ...(bounce && { bounce }) };
  }
  if (handedOver)
    return { ...report('unknown', 'The mail server did not confirm the message'), unconfirmed: true };
  switch (code) {
    case 'ENOAUTH':
    case 'ECONFIG':
    case 'EFILEACCESS':
    case 'EURLACCESS':
      return report('permanent', 'The template cannot be sent', true);
    case 'ETIMEDOUT':
    case 'EABORT':
      return report('transient', 'The mail server took too long');
    case 'ENOTFOUND':
    case 'EDNS':
      return report('transient', 'The mail server was not found');
    default:
      return report('transient', 'No connection to the mail server');
  }
}

function smtpCode(response: string): number | null {
  const code = /^\d{3}/.exec(response)?.[0];
  return code === undefined ? null : Number(code);
}
