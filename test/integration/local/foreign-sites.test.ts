/** Access of other web sites in the same browser to the product on this machine. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCloud } from '#local/cloud';
import { startTestCloud, type TestCloud } from '#test/harness/cloud';
import { type RawRequest, sendRaw } from '#test/harness/raw-request';

const webRoot = join(tmpdir(), `lead-web-${randomUUID()}`);
let cloud: TestCloud;
beforeAll(async () => {
  for (const folder of ['admin-assets', 'assets']) mkdirSync(join(webRoot, folder), { recursive: true });
  writeFileSync(join(webRoot, 'index.html'), 'the page');
  writeFileSync(join(webRoot, 'assets', 'buyer-1.js'), 'the buyers build');
  writeFileSync(join(webRoot, 'admin-assets', 'admin-1.js'), 'the admin build');
  cloud = await startTestCloud({ webRoot });
});
afterAll(async () => {
  await cloud.stop();
  await rm(webRoot, { recursive: true, force: true });
});

const send = (path: string, { to = cloud.url, ...sent }: RawRequest & { to?: string } = {}) =>
  sendRaw(to, path, sent);

describe('a request to the product on this machine', () => {
  it.each([
    ['evil.example', 403],
    ['evil.example:3000', 403],
    ['localhost.evil.example', 403],
    ['evil@localhost', 403],
    ['127.0.0.1.evil.example', 403],
    ['192.168.0.7', 403],
    ['localhost.', 403],
    ['localhost', 200],
    ['127.0.0.1:80', 200],
    ['[::1]:3000', 200],
    ['LOCALHOST', 200],
  ])('with host name %s, which may resolve to this machine, is answered %i', async (host, status) => {
    for (const path of ['/local', '/local/api/state', '/local/api/partitions', '/', '/api/health']) {
      const reply = await send(path, { headers: { host } });
      expect(reply.status, path).toBe(status);
      if (status === 403) expect(JSON.parse(reply.body)).toMatchObject({ code: 'foreign_host' });
    }
  });

  it('is rejected if another site sent it', async () => {
    const host = `localhost:${cloud.port}`;
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost:9',
      'http://localhost',
      `http://localhost:${cloud.port}.evil.example`,
    ])
      for (const [method, path] of [
        ['GET', '/local/api/state'],
        ['POST', '/local/api/command'],
        ['POST', '/api/login'],
      ] as const)
        expect(
          await send(path, { method, headers: { host, origin } }),
          `${method} ${path} ${origin}`,
        ).toMatchObject({
          status: 403,
          body: expect.stringContaining('foreign_origin'),
        });
    expect((await send('/local/api/state', { headers: { host, origin: `http://${host}` } })).status).toBe(
      200,
    );
  });

  it('cannot read export files from another site', async () => {
    const to = cloud.queues.endpoint;
    expect((await send('/exports', { to, headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await send('/exports', { to, headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await send('/exports', { to })).status).toBe(200);
  });

  it('cannot add e-mails to the inbox or call partners from another site', async () => {
    const to = `http://localhost:${cloud.partners.port}`;
    const mail = {
      method: 'POST',
      body: 'Action=SendEmail&Source=bank@example.org&Destination.ToAddresses.member.1=admin@example.org&Message.Subject.Data=Forged',
    };
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const foreign = [
      { host: 'evil.example' },
      { host: `evil.example:${cloud.partners.port}` },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      // The product's own pages must not call them either.
      { origin: cloud.url },
    ];
    const mails = cloud.inbox.mails.length;
    for (const headers of foreign)
      for (const path of ['/ses', '/api/signup/procform', '/http/leads'])
        expect((await send(path, { to, ...mail, headers: { ...type, ...headers } })).status, path).toBe(403);
    expect(cloud.inbox.mails).toHaveLength(mails);
    expect(cloud.partners.calls).toEqual([]);
    expect((await send('/ses', { to, ...mail, headers: type })).status).toBe(200);
    expect(cloud.inbox.mails.at(-1)).toMatchObject({ subject: 'Forged' });
  });

  it('is answered under the addresses and host name that the operator allowed', async () => {
    const dataDir = join(tmpdir(), `lead-open-${randomUUID()}`);
    const open = await startCloud({ dataDir, host: '0.0.0.0', publicUrl: 'https://leads.example' });
    const to = `http://127.0.0.1:${open.port}`;
    const statusFor = async (host: string) => (await send('/local', { to, headers: { host } })).status;
    expect(await statusFor('192.168.0.7:3000')).toBe(200);
    expect(await statusFor('[fe80::1]:3000')).toBe(200);
    expect(await statusFor('leads.example')).toBe(200);
    expect(await statusFor('evil.example')).toBe(403);
    await open.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
});

describe('a file of the admin build', () => {
  it.each([
    '/admin-assets/admin-1.js',
    '/%61dmin-assets/admin-1.js',
    '/admin%2dassets/admin-1.js',
    '/admin-assets%2fadmin-1.js',
    '/assets/..%2fadmin-assets/admin-1.js',
    '/assets/%2e%2e/admin-assets/admin-1.js',
    '//admin-assets/admin-1.js',
    '/./admin-assets/admin-1.js',
    '/%2e/admin-assets/admin-1.js',
    '/\\admin-assets/admin-1.js',
    '/Admin-Assets/admin-1.js',
    '/admin-assets./admin-1.js',
  ])('stays closed to visitors under %s', async (path) => {
    const reply = await send(path);
    expect([403, 404]).toContain(reply.status);
    expect(reply.body).not.toContain('the admin build');
  });

  it('opens for an admin, and the other files for everybody', async () => {
    const admin = await cloud.admin.raw('GET', '/admin-assets/admin-1.js');
    expect(admin.status).toBe(200);
    expect((await send('/assets/buyer-1.js')).body).toBe('the buyers build');
    expect((await send('/leads/some-token')).body).toBe('the page');
  });
});
