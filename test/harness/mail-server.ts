/** An external mail server that accepts messages, or rejects at any step of the conversation. */
import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly mail: () => Promise<Email>;
  readonly secure: boolean;
}
type Refusal = { readonly code: number; readonly text: string } | undefined;

type MessageAnswer = Refusal | 'hang' | 'cut';

export interface MailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  login: (user: string, pass: string) => Refusal;
  recipient: (address: string) => Refusal;
  /** Can be slow, like servers that scan a message before they confirm it. */
  message: (received: ReceivedMail) => MessageAnswer | Promise<MessageAnswer>;
  stop(): Promise<void>;
}

const error = (refusal: NonNullable<Refusal>) =>
  Object.assign(new Error(refusal.text), { responseCode: refusal.code });

export async function startMailServer(
  options: { readonly startTls?: boolean; readonly secure?: boolean } = {},
): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    secure: options.secure ?? false,
    disabledCommands: options.startTls === true ? [] : ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: true,
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      const refusal = mailServer.login(username ?? '', password ?? '');
      if (refusal) done(error(refusal));
      else done(null, { user: username });
    },
    onRcptTo({ address }, _session, done) {
      const refusal = mailServer.recipient(address);
      done(refusal ? error(refusal) : null);
    },
    onData(stream, session: SMTPServerSession, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const raw = Buffer.concat(chunks).toString('utf8');
        const received: ReceivedMail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          mail: () => PostalMime.parse(raw),
          secure: session.secure,
        };
        void answer(received, done);
      });
    },
  });
  const answer = async (received: ReceivedMail, done: (refused?: Error | null) => void) => {
    const result = await mailServer.message(received);
    if (result === 'hang') return;
    if (typeof result === 'object') {
      done(error(result));
      return;
    }
    mails.push(received);
    if (result === undefined) done(null);
    else for (const socket of sockets) socket.destroy();
  };
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mailServer: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    mails,
    login: () => undefined,
    recipient: () => undefined,
    message: () => undefined,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailServer;
}
