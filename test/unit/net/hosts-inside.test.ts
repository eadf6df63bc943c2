/** Every spelling of a private host is rejected by forms, or never connected to. */
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { AddressRefused, createGuard } from '#functions/net/guard';
import { createHttp, HttpFailure } from '#functions/net/http';
import { openSocket } from '#functions/net/socket';
import { schemas } from '#shared/contract/schemas';
import { aTemplateRequest } from '#test/factories/templates';

/** Private addresses to the system, a URL parser, a C library or a resolver. */
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
const guard = createGuard({ allowPrivate: false });
const http = createHttp(guard, { connections: 1 });
const timeout = 60_000;
const call = (url: string) => http({ method: 'GET', url, timeout });

const callAt = (http_url: string) => schemas.tryChannel.body.safeParse({ http_url, http_body: '{}' });

it.each([
  ['an HTTP address', (host: string) => callAt(`http://${host}/`), (host: string) => call(`http://${host}/`)],
  [
    'an HTTPS address',
    (host: string) => callAt(`https://${host}/`),
    (host: string) => call(`https://${host}/`),
  ],
  [
    'a TrackBox',
    (host: string) => schemas.updateBuyer.body.safeParse({ trackbox_domain: host }),
    (host: string) => call(`https://${host}/`),
  ],
  [
    'a mail server',
    (host: string) => schemas.createEmailTemplate.body.safeParse(aTemplateRequest({ smtp_host: host })),
    (host: string) => openSocket(guard, { host, port: 587, timeout }),
  ],
])('as %s', async (_, form, connect) => {
  const accepted = HOSTS.filter((host) => form(host).success);
  expect(accepted.length).toBeGreaterThan(20);
  for (const host of accepted) {
    const error: unknown = await Promise.resolve(connect(host)).catch((reason: unknown) => reason);
    const isRefused =
      error instanceof AddressRefused ||
      // A name that does not resolve here is not connected to either.
      (error instanceof HttpFailure && ['EADDRREFUSED', 'ENOTFOUND'].includes(error.code)) ||
      (error instanceof TypeError && error.message === 'Invalid URL');
    expect(isRefused, `${host}: ${String(error)}`).toBe(true);
  }
});
