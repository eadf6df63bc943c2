import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuard, isPublicAddress } from '#functions/net/guard';
import { createHttp, HttpFailure } from '#functions/net/http';
import { openSocket } from '#functions/net/socket';
import { type StubServer, startStub } from '#test/harness/stub-server';

describe('public addresses', () => {
  it.each(['8.8.8.8', '93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:8.8.8.8'])(
    'include %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ['local', '127.0.0.1 127.9.9.9 0.0.0.0 :: ::1 localhost'],
    ['private', '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 fc00::1 fec0::1'],
    ['link-local, like cloud metadata services', '169.254.169.254 fe80::1 fd00:ec2::254'],
    ['reserved for documentation and tests', '192.0.0.1 192.0.2.1 198.18.0.1 203.0.113.5 2001:db8::1'],
    ['multicast or reserved', '224.0.0.1 240.0.0.1 255.255.255.255 ff02::1'],
    ['embedded in an IPv6 address', '::127.0.0.1 ::ffff:127.0.0.1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.1'],
    ['tunnelled', '64:ff9b::7f00:1 64:ff9b:1::1 2001::1 2002:7f00:1::'],
    ['a number', '0x7f000001 2130706433'],
    ['nothing', ''],
  ])('exclude %s addresses: %s', (_, addresses) => {
    expect(addresses.split(' ').filter(isPublicAddress)).toEqual([]);
  });
});

/** Resolves to the given answers in sequence. */
const resolving = (...answers: string[][]) => {
  let calls = 0;
  return {
    calls: () => calls,
    guard: (allowPrivate: boolean) =>
      createGuard({ allowPrivate }, (_host, _options, done) => {
        const addresses = answers[Math.min(calls, answers.length - 1)] ?? [];
        calls += 1;
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      }),
  };
};
const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof HttpFailure ? `${error.kind} ${error.code}` : String(error);
};

const get = (guard: ReturnType<typeof createGuard>, url: string, timeout = 2000) =>
  createHttp(guard, { connections: 1 })({ method: 'GET', url, timeout });

describe('outgoing calls', () => {
  let stub: StubServer;
  beforeAll(async () => {
    stub = await startStub(() => ({ body: 'hello' }));
  });
  afterAll(() => stub.stop());
  const port = () => stub.host.split(':')[1];

  it.each([
    'http://localhost',
    'http://127.0.0.1',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://2130706433',
    'http://0x7f.1',
  ])('reject %s', async (base) => {
    const before = stub.calls.length;
    expect(await failure(get(createGuard({ allowPrivate: false }), `${base}:${port()}/`))).toBe(
      'refused EADDRREFUSED',
    );
    expect(stub.calls).toHaveLength(before);
  });

  it('reject a name with any private address', async () => {
    const { guard } = resolving(['8.8.8.8', '10.0.0.1']);
    expect(await failure(get(guard(false), `http://partner.example:${port()}/`))).toBe(
      'refused EADDRREFUSED',
    );
  });

  it('check the connected address itself, so that DNS rebinding has no effect', async () => {
    const before = stub.calls.length;
    const rebinding = resolving(['127.0.0.1'], ['8.8.8.8']);
    expect(await failure(get(rebinding.guard(false), `http://partner.example:${port()}/`))).toBe(
      'refused EADDRREFUSED',
    );
    // The check and the connection share one lookup.
    expect(rebinding.calls()).toBe(1);
    expect(stub.calls).toHaveLength(before);
  });

  it('reach private addresses if allowed, by the resolved address', async () => {
    const { guard } = resolving(['127.0.0.1']);
    expect((await get(guard(true), `http://partner.example:${port()}/`)).body).toBe('hello');
  });

  it('distinguish an unsent request from one that may have arrived', async () => {
    const gone = await startStub();
    await gone.stop();
    const allowed = createGuard({ allowPrivate: true });
    expect(await failure(get(allowed, `${gone.url}/`))).toBe('not_sent ECONNREFUSED');
    expect(await failure(get(resolving([]).guard(true), 'http://nowhere.example/'))).toBe(
      'not_sent ENOTFOUND',
    );
    // A server without TLS: the handshake fails, so nothing is sent.
    expect(await failure(get(allowed, `https://${stub.host}/`))).toMatch(/^not_sent /);
    stub.answer = () => 'hang';
    expect(await failure(get(allowed, `${stub.url}/`, 200))).toBe('no_answer TIMEOUT');
    stub.answer = () => 'cut';
    expect(await failure(get(allowed, `${stub.url}/`))).toMatch(/^no_answer /);
    stub.answer = () => ({ body: 'hello' });
  });

  it('read at most a quarter of a megabyte', async () => {
    stub.answer = () => ({ body: 'x'.repeat(5_000_000) });
    expect((await get(createGuard({ allowPrivate: true }), `${stub.url}/`)).body).toHaveLength(256 * 1024);
    stub.answer = () => ({ body: 'hello' });
  });
});

describe('plain connections', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((socket) => socket.on('error', () => undefined).end('220 hello\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const at = (host: string) => ({ host, port: (server.address() as AddressInfo).port, timeout: 2000 });

  it('are rejected for private addresses, by address and by name', async () => {
    const guard = createGuard({ allowPrivate: false });
    await expect(openSocket(guard, at('127.0.0.1'))).rejects.toThrow('not public');
    await expect(openSocket(guard, at('localhost'))).rejects.toThrow('not public');
    await expect(openSocket(resolving(['10.0.0.1']).guard(false), at('mail.example'))).rejects.toThrow(
      'not public',
    );
  });

  it('are opened to allowed addresses', async () => {
    const socket = await openSocket(resolving(['127.0.0.1']).guard(true), at('mail.example'));
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });
});
