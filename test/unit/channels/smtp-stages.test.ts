/** Whether an e-mail can have arrived, depending on the step at which the connection ends. */

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DELIVERY_TIMEOUTS_MS,
  longestCallMs,
  type SmtpTimeouts,
  sendOverSmtp,
} from '#functions/channels/smtp';
import { createGuard } from '#functions/net/guard';
import { FUNCTION_SPECS } from '#functions/platform/functions';
import { cipher } from '#test/factories/secrets';
import { aTemplate } from '#test/factories/templates';
import { type MailServer, startMailServer } from '#test/harness/mail-server';

const ANSWERS: Record<string, string> = {
  EHLO: '250-hi\r\n250 AUTH PLAIN',
  AUTH: '235 ok',
  DATA: '354 go',
  '.': '250 queued',
};

/** A mail server that cuts the connection or goes silent at a given step. */
const sendUntil = async (step: string, how: 'cut' | 'hang', text: string) =>
  (await reportUntil(step, how, text)).outcome;
const reportUntil = async (step: string, how: string, text: string, timeouts?: SmtpTimeouts) => {
  const server = createServer((socket) => {
    let rest = '';
    let message = false;
    socket.on('error', () => undefined).write(step === 'greeting' ? `${how}\r\n` : '220 hi\r\n');
    socket.on('data', (chunk) => {
      const lines = (rest + String(chunk)).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (message && line !== '.') continue;
        const command = line.split(' ')[0] ?? '';
        if (command === step) {
          if (how === 'cut') socket.destroy();
          else if (how !== 'hang') socket.write(`${how}\r\n`);
          return;
        }
        message = command === 'DATA';
        socket.write(`${ANSWERS[command] ?? '250 ok'}\r\n`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const report = await sendOverSmtp(
    { guard: createGuard({ allowPrivate: true }), cipher, ...(timeouts && { timeouts }) },
    aTemplate({ smtp_port: port }),
    { to: 'a@b.example', subject: 's', text, messageId: 'id' },
    AbortSignal.timeout(how === 'hang' && timeouts === undefined ? 500 : 10_000),
  );
  server.close();
  return report;
};

const LONG = 'Zeile um Zeile um Zeile.\n'.repeat(20_000);
it.each(['cut', 'hang'] as const)(
  'an e-mail cannot have arrived before the server requested it (%s)',
  async (how) => {
    const cases = ['EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA'].flatMap((step) =>
      ['short', LONG].map((text) => ({ step, text })),
    );
    const outcomes = await Promise.all(cases.map(({ step, text }) => sendUntil(step, how, text)));
    expect(outcomes).toEqual(cases.map(() => 'transient'));
  },
);
it.each(['cut', 'hang'] as const)('an e-mail may have arrived once it was sent in full (%s)', async (how) => {
  for (const text of ['short', LONG]) expect(await sendUntil('.', how, text)).toBe('unknown');
  expect(await sendUntil('never', 'cut', LONG)).toBe('delivered');
});
describe('the timeout', () => {
  const TIMEOUTS = { connect: 1000, greeting: 1000, handOver: 200, confirmation: 200 };
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server.stop());
  const send = (timeouts: Partial<typeof TIMEOUTS>) =>
    sendOverSmtp(
      { guard: createGuard({ allowPrivate: true }), cipher, timeouts: { ...TIMEOUTS, ...timeouts } },
      aTemplate({ smtp_port: server.port }),
      { to: 'a@b.example', subject: 's', text: 'short', messageId: 'id' },
      AbortSignal.timeout(10_000),
    );

  it('of the confirmation is separate, so a slow server gets the message once and confirms it', async () => {
    server.message = () => wait(600);
    expect(await send({ confirmation: 8000 })).toMatchObject({ outcome: 'delivered' });
    expect(server.mails).toHaveLength(1);
  });

  it('of the confirmation leaves the outcome unknown, and reports that a retry is likely a copy', async () => {
    server.message = () => 'hang';
    expect(await send({ handOver: 8000 })).toMatchObject({ outcome: 'unknown', unconfirmed: true });
  });

  it('of a lead is ten minutes after the message as in RFC 5321, within the function’s time limit', () => {
    expect(DELIVERY_TIMEOUTS_MS.confirmation).toBe(600_000);
    expect(longestCallMs(DELIVERY_TIMEOUTS_MS)).toBeLessThan(FUNCTION_SPECS.deliver.timeout * 1000 - 30_000);
  });

  it('before the message is a temporary failure, because nothing can have arrived', async () => {
    const report = await reportUntil('RCPT', 'hang', 'short', TIMEOUTS);
    expect(report).toMatchObject({ outcome: 'transient', error: 'The mail server took too long' });
    expect(report.unconfirmed).toBeUndefined();
  });
});

it.each([
  ['greeting', '554 your address is on a list', true],
  ['AUTH', '535 wrong password', true],
  ['MAIL', '550 sender not allowed', true],
  ['RCPT', '550 no such user', false],
  ['.', '554 content refused', false],
])('a rejection at %s (%s) concerns every lead: %s', async (step, answer, misconfigured) => {
  expect(await reportUntil(step, answer, 'short')).toMatchObject({ outcome: 'permanent', misconfigured });
});
