/** A mail server that accepts everything, unless it is set to misbehave. */
import { randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import * as z from 'zod/mini';
import { parseJson } from '#functions/platform/parse-json';
import { listenNear } from '#local/listen';
import { makePrivateFolder, PRIVATE_FILE, readIfThere } from '#local/private-files';

/**
 * `refuse` answers 550, `greylist` 450, `auth-fail` 535. `mute` never greets, `hang` never confirms, `slow` confirms after
 * three seconds, `cut` closes within the message, `bounce` returns it later, as SES does.
 */
export const MAIL_MODES = [
  'ok',
  'refuse',
  'greylist',
  'auth-fail',
  'mute',
  'hang',
  'slow',
  'cut',
  'bounce',
] as const;
export type MailMode = (typeof MAIL_MODES)[number];

const mailSchema = z.object({
  at: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  replyTo: z.optional(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.optional(z.string()),
  messageId: z.optional(z.string()),
  unsubscribe: z.optional(z.string()),
  unsubscribePost: z.optional(z.string()),
});
export type Mail = z.output<typeof mailSchema>;

export interface Inbox {
  readonly port: number;
  readonly mails: readonly Mail[];
  add(mail: Mail, id?: string): void;
  mode: MailMode;
  /** By recipient; takes precedence over `mode`. */
  rule: ((recipient: string) => MailMode) | undefined;
  clear(): void;
  /** Also from the file. */
  forget(leadIds: readonly string[]): void;
  stop(): Promise<void>;
}

export interface InboxOptions {
  /** Used if free, else any; 0: any. */
  readonly port: number;
  readonly file: string;
  readonly now: () => Date;
  /** @param id the server's name for it */
  readonly onBounce?: (mail: Mail, id: string) => void;
}

const MAX_MAILS_KEPT = 5000;
const SLOW_MS = 3000;
/** Grace for connections after `stop`. */
const CLOSE_MS = 200;

export async function startInbox(options: InboxOptions): Promise<Inbox> {
  const mails = readKept(options.file);
  const sockets = new Map<number, Socket>();
  const state: Pick<Inbox, 'mode' | 'rule'> = { mode: 'ok', rule: undefined };
  const modeFor = (recipients: readonly string[]): MailMode =>
    (state.rule !== undefined && recipients[0] !== undefined ? state.rule(recipients[0]) : undefined) ??
    state.mode;

  let linesInFile = mails.length;
  const add = (mail: Mail) => {
    // First, because it fails on a full disk: then the mail is refused.
    appendFileSync(options.file, lineOf(mail), PRIVATE_FILE);
    mails.push(mail);
    if (mails.length > MAX_MAILS_KEPT) mails.shift();
    linesInFile += 1;
    if (linesInFile < 2 * MAX_MAILS_KEPT) return;
    rewrite(options.file, mails);
    linesInFile = mails.length;
  };

  /** With `hang`, the mail is received but never confirmed. */
  const take = async (
    stream: NodeJS.ReadableStream,
    envelope: Pick<Mail, 'at' | 'from' | 'to'>,
  ): Promise<Mail | undefined> => {
    try {
      const mail = await parse(stream, envelope);
      add(mail);
      return mail;
    } catch {
      return undefined;
    }
  };

  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: CLOSE_MS,
    onConnect(_session, done) {
      if (state.mode !== 'mute') done();
    },
    onAuth(auth, _session, done) {
      if (state.mode === 'auth-fail') done(refusal(535, '5.7.8 Authentication credentials invalid'));
      else done(null, { user: auth.username ?? 'anyone' });
    },
    onRcptTo(address, _session, done) {
      const mode = modeFor([address.address]);
      if (mode === 'refuse') done(refusal(550, '5.1.1 Mailbox unavailable'));
      else if (mode === 'greylist') done(refusal(450, '4.2.0 Greylisted, please try again later'));
      else done();
    },
    onData(stream, session, done) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      const mode = modeFor(recipients);
      if (mode === 'cut') {
        stream.once('data', () => sockets.get(session.remotePort)?.destroy());
        stream.resume();
        return;
      }
      const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address;
      const envelope = { at: options.now().toISOString(), from, to: recipients };
      const answer = async () => {
        const taken = await take(stream, envelope);
        if (taken === undefined) done(refusal(451, '4.3.0 The message could not be read or kept'));
        else if (mode === 'slow') setTimeout(done, SLOW_MS).unref();
        else if (mode === 'bounce') {
          const id = sesId();
          done(null, `Ok ${id}`);
          options.onBounce?.(taken, id);
        } else if (mode !== 'hang') done();
      };
      void answer();
    },
  });
  // A broken connection concerns only the sender.
  server.on('error', () => {});
  server.server.on('connection', (socket) => {
    const port = socket.remotePort ?? 0;
    sockets.set(port, socket);
    socket.once('close', () => sockets.delete(port));
  });

  const port = await listenNear(server.server, options.port);
  return Object.assign(state, {
    port,
    mails,
    add(mail: Mail, id?: string) {
      add(mail);
      if (id !== undefined && modeFor(mail.to) === 'bounce') options.onBounce?.(mail, id);
    },
    clear() {
      mails.length = 0;
      writeFileSync(options.file, '', PRIVATE_FILE);
      linesInFile = 0;
    },
    forget(leadIds: readonly string[]) {
      // Message-IDs contain the lead's ID.
      const kept = mails.filter(({ messageId = '' }) => !leadIds.some((id) => messageId.includes(id)));
      mails.splice(0, mails.length, ...kept);
      rewrite(options.file, mails);
      linesInFile = mails.length;
    },
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(resolve);
        for (const socket of sockets.values()) socket.destroy();
      });
    },
  });
}

export const sesId = () => `${randomBytes(8).toString('hex')}-${randomUUID()}-000000`;

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

async function parse(
  stream: NodeJS.ReadableStream,
  envelope: Pick<Mail, 'at' | 'from' | 'to'>,
): Promise<Mail> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return readMail(Buffer.concat(chunks), envelope);
}

export async function readMail(message: Buffer, envelope: Pick<Mail, 'at' | 'from' | 'to'>): Promise<Mail> {
  const mail = await PostalMime.parse(message);
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  const [unsubscribe, unsubscribePost] = [header('list-unsubscribe'), header('list-unsubscribe-post')];
  const replyTo = mail.replyTo?.[0]?.address;
  return {
    ...envelope,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    ...(mail.html !== undefined && { html: mail.html }),
    ...(mail.messageId !== undefined && { messageId: mail.messageId }),
    ...(replyTo !== undefined && { replyTo }),
    ...(unsubscribe !== undefined && { unsubscribe }),
    ...(unsubscribePost !== undefined && { unsubscribePost }),
  };
}

/** A crash may have cut a line. */
function readKept(file: string): Mail[] {
  makePrivateFolder(dirname(file));
  const lines = readIfThere(file).split('\n').filter(Boolean).slice(-MAX_MAILS_KEPT);
  const mails = lines.flatMap((line) => mailSchema.safeParse(parseJson(line)).data ?? []);
  rewrite(file, mails);
  return mails;
}

const lineOf = (mail: Mail) => `${JSON.stringify(mail)}\n`;

/** Replaces the file as a whole, so that a crash or a full disk leaves the old one. */
function rewrite(file: string, mails: readonly Mail[]): void {
  writeFileSync(`${file}.new`, mails.map(lineOf).join(''), PRIVATE_FILE);
  renameSync(`${file}.new`, file);
}
