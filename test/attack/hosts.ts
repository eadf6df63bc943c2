/**
 * Every spelling of an address inside, given as a mail server and as a TrackBox domain to a product that must not reach
 * inside: nothing may arrive at a server that listens there.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { hostname } from 'node:os';
import { createGuard } from '#functions/net/guard';
import { createHttp, HttpFailure } from '#functions/net/http';
import { openSocket } from '#functions/net/socket';
import type { PartResult, Report } from '#test/attack/part';
import { settingsOf } from '#test/factories/buyers';
import { SECRETS } from '#test/factories/secrets';
import { addTemplate, openOrder, startTestCloud } from '#test/harness/cloud';

/** Each is an address inside to somebody: the system, a URL parser, a C library, a resolver. */
const HOSTS = [
  hostname(),
  ...`
  127.0.0.1 127.0.0.1. 127.1 127.0.1 127.000.000.001 0177.0.0.1 0177.0000.0000.0001 0x7f.0.0.1 0x7f.1 0x7f000001 0X7F000001
  2130706433 017700000001 0 0.0.0.0 0x0 127.255.255.254
  [::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::]
  [fe80::1] [fe80::1%lo] [fd00:ec2::254]
  localhost localhost. LOCALHOST LocalHost.
  10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 100.100.100.200 198.18.0.1 192.0.0.192
  169.254.169.254 169.254.169.254. 2852039166 0xa9fea9fe 0251.0376.0251.0376 [::ffff:169.254.169.254] [::ffff:a9fe:a9fe]
  224.0.0.1 255.255.255.255
  ①②⑦.⓪.⓪.① １２７.0.0.1 127。0。0。1
  user:word@127.0.0.1 example.com@127.0.0.1 127.0.0.1#example.com 127.0.0.1?example.com 127.0.0.1/example.com
  127.0.0.1\\example.com 127.0.0.1%00.example.com`
    .trim()
    .split(/\s+/),
];

/** What a name may resolve to; the second of two answers, too. */
const RESOLVED = [
  ['127.0.0.1'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['10.1.2.3'],
  ['169.254.169.254'],
  ['fd00:ec2::254'],
  ['0.0.0.0'],
  ['93.184.216.34', '127.0.0.1'],
  ['127.0.0.1', '93.184.216.34'],
] as const;

/** A refusal needs no time; waiting means that somebody was called. */
const MAX_ANSWER_MS = 5000;

/** @param report told how far it is */
export async function hosts(report: Report): Promise<PartResult> {
  const broken: string[] = [];
  let reached = 0;
  const servers = await Promise.all(
    ['127.0.0.1', '::1'].map(async (address) => {
      const server = createServer((socket) => {
        reached += 1;
        socket.destroy();
      });
      server.listen(0, address);
      const [listening] = await Promise.race([
        once(server, 'listening').then(() => [true]),
        once(server, 'error').then(() => [false]),
      ]);
      return listening === true ? server : undefined;
    }),
  );
  const port = (servers[0]!.address() as AddressInfo).port;
  const cloud = await startTestCloud({ environment: { ALLOW_PRIVATE_HOSTS: '0', TRACKBOX_SCHEME: 'http' } });
  const { admin } = cloud;
  let refusedAtInput = 0;
  /** @param enter saves the host @param use makes the product connect */
  const tryOne = async (what: string, enter: () => Promise<number>, use: () => Promise<boolean>) => {
    const before = reached;
    const began = Date.now();
    const entered = await enter();
    if (entered === 400) refusedAtInput += 1;
    else if (entered >= 300) broken.push(`${what} was answered ${entered}`);
    else if (await use()) broken.push(`${what} was delivered to`);
    if (reached > before) broken.push(`${what} reached a server inside`);
    if (Date.now() - began > MAX_ANSWER_MS) broken.push(`${what} took ${Date.now() - began} ms`);
  };
  try {
    const templateId = await addTemplate(cloud);
    const { buyer_id } = await openOrder(
      admin,
      settingsOf('trackbox', { templateId, partners: 'box.example.com' }, SECRETS),
    );
    for (const [at, host] of HOSTS.entries()) {
      await tryOne(
        `TrackBox at ${host}`,
        async () => {
          const { heroleads_api_key: _, ...body } = settingsOf(
            'trackbox',
            { templateId, partners: `${host}:${port}` },
            SECRETS,
          );
          return (await admin.call('updateBuyer', { params: { buyerId: buyer_id }, body })).status;
        },
        async () => {
          const params = { buyerId: buyer_id, channel: 'trackbox' } as const;
          return (await admin.ok('sendTestLead', { params })).outcome === 'delivered';
        },
      );
      for (const scheme of ['https', 'http'])
        await tryOne(
          `HTTP at ${scheme}://${host}`,
          async () => (await admin.call('tryChannel', httpAt(`${scheme}://${host}:${port}/`))).status,
          async () =>
            (await admin.ok('tryChannel', httpAt(`${scheme}://${host}:${port}/`))).outcome === 'delivered',
        );
      await tryOne(
        `a mail server at ${host}`,
        async () => {
          const body = { smtp_host: host, smtp_port: port, smtp_pass: SECRETS.smtp };
          return (await admin.call('updateEmailTemplate', { params: { id: templateId }, body })).status;
        },
        async () =>
          (await admin.ok('sendTestEmail', { params: { id: templateId }, body: { to: 'a@example.org' } })).ok,
      );
      report(at / HOSTS.length, host);
    }
    for (const addresses of RESOLVED) broken.push(...(await resolvedTo(addresses, port)));
    if (reached > 0) broken.push(`servers inside were reached ${reached} times`);
    return {
      name: 'hosts',
      figures: {
        'spellings of hosts inside, each for mail, TrackBox and HTTP (twice)': HOSTS.length,
        'of these refused when they were entered': refusedAtInput,
        'names that resolve to an address inside': RESOLVED.length,
        'connections inside': reached,
      },
      broken,
    };
  } finally {
    await cloud.stop();
    for (const server of servers) server?.close();
  }
}

const httpAt = (http_url: string) =>
  ({ params: { channel: 'http' }, body: { http_url, http_body: '{}' } }) as const;

/** Neither a partner's call nor a mail goes to a name with such an address. */
async function resolvedTo(addresses: readonly string[], port: number): Promise<string[]> {
  const guard = createGuard({ allowPrivate: false }, (_host, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    ),
  );
  const what = `a name that resolves to ${addresses.join(' and ')}`;
  const called = await createHttp(guard, { connections: 1 })({
    method: 'GET',
    url: `http://box.example.com:${port}/`,
    timeout: MAX_ANSWER_MS,
  }).catch((error: unknown) => error);
  const opened = await openSocket(guard, { host: 'mail.example.com', port, timeout: MAX_ANSWER_MS }).then(
    (socket) => {
      socket.destroy();
      return true;
    },
    () => false,
  );
  return [
    ...(called instanceof HttpFailure && called.kind === 'refused' ? [] : [`${what} was called over HTTP`]),
    ...(opened ? [`${what} was called for mail`] : []),
  ];
}
