/** What the tests of the buyer's page share: the embedded cloud at a chosen time, calls by contract, a browser. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { createSessionStore } from '#functions/data/sessions';
import { addAdmin } from '#functions/domain/admins';
import { type Cloud, startCloud } from '#local/cloud';
import { type EndpointId, routes } from '#shared/contract/routes';
import type { Answer, Sent } from '#shared/contract/schemas';

const ADMIN = { username: 'admin', password: 'Ein-langes-Passwort-7' };

/** The sizes at which every rule is looked at. */
export const SCREENS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['on a desktop', { viewport: { width: 1280, height: 800 } }],
  ['on a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
];

type Input<Id extends EndpointId> = {
  [Part in 'params' | 'query' | 'body' as Sent<Id, Part> extends undefined ? never : Part]: Sent<Id, Part>;
};

export interface Shop {
  readonly cloud: Cloud;
  /** Calls as an admin, or as somebody without a session. Fails the test unless the answer is a success. */
  readonly call: <Id extends EndpointId>(id: Id, input: Input<Id>) => Promise<Answer<Id>>;
  /** The same, for the status and the body of any answer; without a session. */
  readonly ask: <Id extends EndpointId>(
    id: Id,
    input: Input<Id>,
  ) => Promise<{ status: number; body: unknown }>;
  /** A buyer with an open order. */
  readonly order: (
    buyer: Partial<Sent<'createBuyer', 'body'>> & { buyer_id: string },
    limit?: number,
  ) => Promise<Ordered>;
  /** A lead that is delivered to a buyer. */
  readonly lead: (
    buyerId: string,
    change?: Partial<Sent<'createLead', 'body'>>,
  ) => Promise<Answer<'createLead'>>;
  /** Sets the clock of the product; admins log in again. */
  readonly at: (instant: string) => Promise<void>;
  /** A page in a browser of its own. Console errors and calls to other sites fail `noComplaints`. */
  readonly open: (path: string, options?: BrowserContextOptions & { admin?: boolean }) => Promise<Visit>;
  readonly stop: () => Promise<void>;
}

export interface Ordered {
  readonly orderId: number;
  readonly buyerId: string;
  readonly token: string;
  readonly path: string;
}

export interface Visit {
  readonly page: Page;
  /** The texts of the browser alerts so far; each is closed at once. */
  readonly alerts: string[];
  /** What went wrong in the console, and every address outside the product that was asked for. */
  readonly complaints: string[];
  readonly close: () => Promise<void>;
}

let count = 0;

export async function startShop(): Promise<Shop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'buyer-page-'));
  const cloud = await startCloud({ dataDir, sweepEvery: 0 });
  const browser = await launch();
  await addAdmin(
    { sessions: createSessionStore(cloud.table), runtime: cloud.runtime },
    ADMIN.username,
    ADMIN.password,
  );
  let cookie = '';

  const send = async (id: EndpointId, input: object, session: string) => {
    const parts: { params?: object; query?: object; body?: unknown } = input;
    let path: string = routes[id].path;
    for (const [name, value] of Object.entries(parts.params ?? {}))
      path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    const url = new URL(path, cloud.url);
    for (const [name, value] of Object.entries(parts.query ?? {})) url.searchParams.set(name, String(value));
    return fetch(url, {
      method: routes[id].method,
      headers: { 'content-type': 'application/json', ...(session !== '' && { cookie: session }) },
      ...(parts.body !== undefined && { body: JSON.stringify(parts.body) }),
    });
  };
  const logIn = async () => {
    const answer = await send('login', { body: ADMIN }, '');
    cookie = answer.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ');
  };

  const shop: Shop = {
    cloud,
    async call(id, input) {
      const answer = await send(id, input, cookie);
      if (!answer.ok) throw new Error(`${id}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as never;
    },
    async ask(id, input) {
      const answer = await send(id, input, '');
      return { status: answer.status, body: await answer.json().catch(() => undefined) };
    },
    async order(buyer, limit = 10) {
      await shop.call('createBuyer', {
        body: {
          buyer_email: `${buyer.buyer_id}@example.de`,
          probability: 0,
          buyer_type: 'prepay',
          send_email: false,
          ...buyer,
        },
      });
      const { order, excel_link: link } = await shop.call('createOrder', {
        body: { buyer_id: buyer.buyer_id, lead_limit: limit },
      });
      const path = new URL(link).pathname;
      return {
        orderId: order.order_id,
        buyerId: buyer.buyer_id,
        token: path.split('/').at(-1) ?? '',
        path,
      };
    },
    lead(buyerId, change = {}) {
      count += 1;
      return shop.call('createLead', {
        body: {
          anrede: 'Frau',
          vorname: 'Käthe',
          nachname: 'Größler',
          email: `kaethe.${count}@example.de`,
          telefon: `+49 30 2345${String(count).padStart(4, '0')}`,
          anlagebetrag: 25_000,
          laufzeit: 12,
          buyer_id: buyerId,
          ...change,
        },
      });
    },
    async at(instant) {
      cloud.clock.set(new Date(instant));
      await logIn();
    },
    async open(path, { admin = false, ...options } = {}) {
      const context = await browser.newContext({
        locale: 'de-DE',
        timezoneId: 'America/New_York',
        ...options,
      });
      if (admin) {
        await context.addCookies(
          cookie.split('; ').map((pair) => {
            const [name = '', ...value] = pair.split('=');
            return { name, value: value.join('='), url: cloud.url };
          }),
        );
      }
      const page = await context.newPage();
      const alerts: string[] = [];
      const complaints: string[] = [];
      page.on('dialog', (dialog) => {
        alerts.push(dialog.message());
        void dialog.accept();
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (url.protocol.startsWith('http') && url.origin !== cloud.url) complaints.push(request.url());
      });
      await page.goto(new URL(path, cloud.url).href);
      return { page, alerts, complaints, close: () => context.close() };
    },
    async stop() {
      await browser.close();
      await cloud.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  await logIn();
  return shop;
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
