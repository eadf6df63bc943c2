/** `npm run dev` on a copy of the code that the test edits. */
import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { logIn } from '#test/e2e/fixture';
import { launchBrowser } from '#test/harness/browser';
import { ADMIN } from '#test/harness/cloud';
import { sendRaw } from '#test/harness/raw-request';
import { startProduct } from '#test/harness/start-product';

const ROOT = join(import.meta.dirname, '..', '..');
const COPY = join(tmpdir(), `lead-dev-${randomUUID()}`);
let browser: Browser;
let dev: ReturnType<typeof startProduct>;

beforeAll(async () => {
  const parts = [
    'package.json',
    'tsconfig.json',
    'tsconfig.base.json',
    'frontend',
    'functions',
    'local',
    'shared',
  ];
  for (const part of parts) cpSync(join(ROOT, part), join(COPY, part), { recursive: true });
  // A separate folder for Vite's cache.
  mkdirSync(join(COPY, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((it) => !it.startsWith('.'))) {
    const [from, to] = [join(ROOT, 'node_modules', name), join(COPY, 'node_modules', name)];
    // Vite serves files such as the font only from within the project.
    if (name === '@fontsource-variable') cpSync(from, to, { recursive: true });
    else symlinkSync(from, to);
  }
  const command = [process.execPath, '--import', 'tsx', 'local/dev.ts'];
  dev = startProduct(command, { ADMIN_PASSWORD: ADMIN.password }, COPY);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  dev.child.kill('SIGTERM');
  expect(await dev.ended).toBe(0);
  rmSync(COPY, { recursive: true, force: true });
});

const edit = (file: string, from: string, to: string) => {
  const text = readFileSync(join(COPY, file), 'utf8');
  expect(text).toContain(from);
  writeFileSync(join(COPY, file), text.replace(from, to));
};

it('npm run dev shows edited screens without losing their state, and runs edited functions on the same data', async () => {
  const url = await dev.url();
  const page = await browser.newPage({ baseURL: url });
  await page.goto('/');
  await logIn(page);
  // A page that is not connected yet misses edits, and one that is still loading code may load it twice.
  const connected = page.waitForEvent('console', (message) => message.text().includes('[vite] connected'));
  await page.goto('/dashboard/create-lead');
  await page.getByLabel('Click ID').fill('Erika');
  await connected;
  await page.waitForLoadState('networkidle');

  edit('frontend/src/admin/create-lead/CreateLeadPage.tsx', 'Submit Lead', 'Submit this lead');
  await page.getByRole('button', { name: 'Submit this lead' }).waitFor();
  expect(await page.getByLabel('Click ID').inputValue()).toBe('Erika');

  edit(
    'functions/api/settings/index.ts',
    "'Settings saved successfully'",
    "'Saved, says the edited function'",
  );
  await vi.waitFor(
    async () => {
      const saved = await page.request.post('/api/settings/verification', {
        data: {},
        headers: { origin: url },
      });
      expect(await saved.json()).toMatchObject({ message: 'Saved, says the edited function' });
    },
    { timeout: 60_000, interval: 20 },
  );
});

it('rejects other sites, even under a host name that resolves to this machine', async () => {
  const url = await dev.url();
  const { host } = new URL(url);
  for (const path of ['/', '/@vite/client', '/src/main.tsx', '/local', '/local/api/state'])
    for (const headers of [{ host: 'evil.example' }, { host, origin: 'https://evil.example' }])
      expect((await sendRaw(url, path, { headers })).status, path).toBe(403);
  const hotReload = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const asked = await sendRaw(url, '/', {
    headers: {
      ...hotReload,
      'sec-websocket-key': randomBytes(16).toString('base64'),
      'sec-websocket-protocol': 'vite-hmr',
      host: 'evil.example',
      origin: 'http://evil.example',
    },
  });
  expect(asked.status).not.toBe(101);
  expect((await sendRaw(url, '/local/api/state', { headers: { host, origin: url } })).status).toBe(200);
});
