import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createEmailChannel } from '#functions/channels/email';
import { createGuard } from '#functions/net/guard';
import { aBuyer } from '#test/factories/buyers';
import { aPayload } from '#test/factories/deliveries';
import { LEAD_ID } from '#test/factories/leads';
import { aPersonInFull } from '#test/factories/people';
import { cipher, SECRETS } from '#test/factories/secrets';
import { aTemplate } from '#test/factories/templates';
import { startMailServer } from '#test/harness/mail-server';

const guard = createGuard({ allowPrivate: true });
const publicBaseUrl = 'https://leads.example';
const channel = createEmailChannel({ guard, cipher, publicBaseUrl });

const server = await startMailServer();
afterAll(() => server.stop());
beforeEach(() => {
  server.mails.length = 0;
  server.login = () => undefined;
  server.recipient = () => undefined;
  server.message = () => undefined;
});

const send = (changes: Parameters<typeof aPayload>[0] = {}, signal = AbortSignal.timeout(5000)) =>
  channel.send(aPayload({ template: aTemplate({ smtp_port: server.port }), ...changes }), signal);

describe('the e-mail channel', () => {
  it('delivers with the texts of the template', async () => {
    let login: string[] = [];
    server.login = (...given) => {
      login = given;
      return undefined;
    };
    const report = await send();
    expect(report).toMatchObject({ outcome: 'delivered', status_code: 250, error: null });
    expect(login).toEqual(['sender@leads.example', SECRETS.smtp]);
    const [received] = server.mails;
    expect(received).toMatchObject({ from: 'leads@leads.example', to: ['sales@acme.example'] });
    const mail = await received?.mail();
    expect(mail?.subject).toBe("Lead 12-3 O'Brien-Müller");
    expect(mail?.text).toContain("Name: Jürgen O'Brien-Müller, 25.000,50 EUR, seo");
    expect(mail?.html).toContain('<b>O&#39;Brien-Müller</b>');
    expect(mail?.replyTo?.[0]?.address).toBe('jana@example.org');
    expect(mail?.messageId).toBe(`<${LEAD_ID}.${aTemplate().id}@leads.example>`);
  });

  it('never lets a lead choose recipients, headers or markup', async () => {
    const evil = 'x"><script>alert(1)</script>\r\nBcc: evil@example.com';
    await send({
      person: aPersonInFull({
        vorname: evil,
        nachname: 'Q\r\nX-Injected: 1',
        email: 'a@x.de, evil@example.com',
        src: '$$email$$',
      }),
    });
    const [received] = server.mails;
    const mail = await received?.mail();
    expect(received?.to).toEqual(['sales@acme.example']);
    expect(mail?.bcc ?? []).toEqual([]);
    expect(mail?.replyTo ?? []).toEqual([]);
    expect(mail?.headers.map(({ key }) => key)).not.toContain('x-injected');
    expect(mail?.html).not.toContain('<script>');
    expect(mail?.text).toContain('$$email$$');
  });

  it.each([
    ['jürgen@example.org', []],
    ['jana@müller.example', ['jana@xn--mller-kva.example']],
  ])('has only ASCII in its headers for a lead with the address %s', async (email, replyTo) => {
    await send({
      person: aPersonInFull({ email }),
      template: aTemplate({ smtp_port: server.port, smtp_from: 'leads@müller.example' }),
    });
    const [received] = server.mails;
    const [head = ''] = received?.raw.split('\r\n\r\n') ?? [];
    expect(head).toMatch(/^[\r\n -~]+$/);
    const mail = await received?.mail();
    expect(mail?.messageId).toBe(`<${LEAD_ID}.${aTemplate().id}@xn--mller-kva.example>`);
    expect((mail?.replyTo ?? []).map(({ address }) => address)).toEqual(replyTo);
  });

  it.each(['a@x.de, evil@example.com', 'b@x.de\r\nRCPT TO:<evil@z.de>', 'nobody'])(
    'rejects an invalid recipient: %j',
    async (buyer_email) => {
      const report = await send({ buyer: aBuyer({ buyer_email }) });
      expect(report).toMatchObject({ outcome: 'permanent', error: expect.stringContaining('recipient') });
      expect(server.mails).toHaveLength(0);
    },
  );

  it('falls back to built-in German texts', async () => {
    await send({
      template: aTemplate({ smtp_port: server.port, smtp_subject: '', smtp_body: '', smtp_html_body: '' }),
    });
    const mail = await server.mails[0]?.mail();
    expect(mail?.subject).toBe('Neuer Lead 12-3');
    expect(mail?.text).toContain('Anlagebetrag: 25.000,50 €');
    expect(mail?.text).toContain('https://leads.example/leads/planted-link-token');
  });

  describe('the link to the lead list', () => {
    const withLink = () =>
      aTemplate({
        smtp_port: server.port,
        smtp_subject: 'Lead $$leads_link$$',
        smtp_body: 'Guten Tag,\nIhre Liste: $$leads_link$$\nBis bald',
        smtp_html_body: '<a href="$$leads_link$$">Ihre Liste</a>',
      });

    it('is in both bodies', async () => {
      await send({ template: withLink() });
      const mail = await server.mails[0]?.mail();
      expect(mail?.text?.trim()).toBe(
        'Guten Tag,\nIhre Liste: https://leads.example/leads/planted-link-token\nBis bald',
      );
      expect(mail?.html).toContain('<a href="https://leads.example/leads/planted-link-token">');
    });

    it('is removed with its line while it is off', async () => {
      await send({ template: withLink(), token: '' });
      const mail = await server.mails[0]?.mail();
      expect(mail?.text?.trim()).toBe('Guten Tag,\nBis bald');
      expect(mail?.html).toContain('<a href="">');
    });

    it('is removed without its line if the line also has lead data', async () => {
      const smtp_body = 'Lead: $$nachname$$, $$telefon$$. Ihre Liste: $$leads_link$$';
      await send({ template: { ...withLink(), smtp_body }, token: '' });
      const mail = await server.mails[0]?.mail();
      expect(mail?.text?.trim()).toBe("Lead: O'Brien-Müller, 0170 1234567. Ihre Liste:");
    });

    it.each([250, 554])('is not in the report, even if the server repeats it with %i', async (code) => {
      server.message = () => ({
        code,
        text: 'spam? leads.example/leads/planted-link-token planted-link-token',
      });
      const report = await send({ template: withLink() });
      expect(report.status_code).toBe(code);
      expect(report.request).toContain('https://leads.example');
      expect(JSON.stringify(report)).not.toContain('planted-link-token');
    });
  });

  it.each([
    ['greylisted', 'recipient', 450, 'transient'],
    ['server going down', 'message', 421, 'transient'],
    ['wrong password', 'login', 535, 'permanent'],
    ['login temporarily unavailable', 'login', 454, 'transient'],
  ] as const)('%s (%s %i) is %s', async (_, step, code, outcome) => {
    server[step] = () => ({ code, text: 'no' });
    const report = await send();
    expect(report).toMatchObject({ outcome, status_code: code });
    expect(report.answer).toContain(String(code));
  });

  it('is retried later without a connection', async () => {
    const other = await startMailServer();
    await other.stop();
    const report = await send({ template: aTemplate({ smtp_port: other.port }) });
    expect(report).toMatchObject({ outcome: 'transient', status_code: null });
  });

  it('rejects port 25, a missing template and an unreadable password', async () => {
    const wrong = aTemplate({ smtp_port: 25 });
    expect(await send({ template: wrong })).toMatchObject({
      outcome: 'permanent',
      error: expect.stringContaining('Port 25'),
    });
    expect(await send({ template: null })).toMatchObject({ outcome: 'permanent' });
  });

  it('does not connect to private addresses', async () => {
    const outside = createEmailChannel({
      guard: createGuard({ allowPrivate: false }),
      cipher,
      publicBaseUrl,
    });
    const report = await outside.send(
      aPayload({ template: aTemplate({ smtp_port: server.port }) }),
      AbortSignal.timeout(2000),
    );
    expect(report).toMatchObject({ outcome: 'permanent', error: 'The mail server has no public address' });
    expect(server.mails).toHaveLength(0);
  });

  it('uses TLS if the server offers it', async () => {
    const secure = await startMailServer({ startTls: true });
    await send({ template: aTemplate({ smtp_port: secure.port }) });
    expect(secure.mails[0]?.secure).toBe(true);
    await secure.stop();
  });

  it.each([
    ['offers no TLS', {}, 'permanent'],
    ['has an untrusted certificate', { startTls: true }, 'transient'],
  ] as const)('sends nothing to an external server that %s', async (_, options, outcome) => {
    const open = await startMailServer(options);
    let logins = 0;
    open.login = () => {
      logins += 1;
      return undefined;
    };
    // Simulates an external server: private addresses are forbidden, but the connection succeeds.
    const outside = createEmailChannel({
      guard: {
        allowPrivate: false,
        check: () => undefined,
        lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
      },
      cipher,
      publicBaseUrl,
    });
    const report = await outside.send(
      aPayload({ template: aTemplate({ smtp_host: 'mail.example', smtp_port: open.port }) }),
      AbortSignal.timeout(5000),
    );
    await open.stop();
    expect(report).toMatchObject({ outcome, error: 'No secure connection to the mail server' });
    expect(logins).toBe(0);
    expect(open.mails).toHaveLength(0);
  });

  it('logs no secrets', async () => {
    server.login = (_, pass) => ({ code: 535, text: `bad ${pass} ${Buffer.from(pass).toString('base64')}` });
    expect(JSON.stringify(await send())).not.toMatch(
      new RegExp(`${SECRETS.smtp}|${Buffer.from(SECRETS.smtp).toString('base64')}`),
    );
  });
});
