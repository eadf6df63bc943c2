/** What the tests of the buyer's page share: the product at a chosen time, orders, leads, and their pages. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Answer } from '#shared/contract/schemas';
import { setUpSite, type Visit } from '#test/e2e/fixture';
import type { BuyerRequest } from '#test/factories/buyers';
import { aLeadRequest, type LeadRequest } from '#test/factories/people';
import { openOrder, type TestCloud } from '#test/harness/cloud';

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** The sizes at which is checked whatever is laid out differently: list or cards, dialogs, menus. */
export const SCREENS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['on a desktop', { viewport: { width: 1280, height: 800 } }],
  ['on a phone', PHONE],
];

/** Wednesday; with Whit Monday on the 17th the seventh working day is the 24th, the fifth the 20th. */
export const DELIVERED = '2027-05-12T07:00:00Z';

/** However long the list is. */
const REFRESHES_WITHIN_MS = 12_000;

export interface Ordered {
  readonly orderId: number;
  readonly buyerId: string;
  readonly token: string;
  /** Of the buyer's page. */
  readonly path: string;
}

export interface BuyerVisit extends Visit {
  /** The texts of the browser alerts so far; each is closed at once. */
  readonly alerts: string[];
  /** Moves the time of the page to its next look at the list, and waits for the answer. */
  readonly nextAnswer: () => Promise<void>;
}

export interface Shop {
  readonly cloud: TestCloud;
  /** A buyer with an open order. */
  readonly order: (buyer: Partial<BuyerRequest> & { buyer_id: string }, limit?: number) => Promise<Ordered>;
  /** The same at `DELIVERED`, for a buyer that no other test knows. */
  readonly newOrder: (buyer?: Partial<BuyerRequest>, limit?: number) => Promise<Ordered>;
  /** A lead that is delivered to a buyer. */
  readonly lead: (buyerId: string, change?: Partial<LeadRequest>) => Promise<Answer<'createLead'>>;
  /** Decides the pending claim of a lead. */
  readonly approve: (leadId: string, notes?: string) => Promise<void>;
  /** Sets the clock of the product; the admin logs in again. */
  readonly at: (instant: string) => Promise<void>;
  /** A page far from Berlin, for a visitor or with the admin's session. */
  readonly open: (path: string, options?: BrowserContextOptions & { admin?: boolean }) => Promise<BuyerVisit>;
}

/** The row or card of a lead. */
export function rowOf(page: Page, leadId: string): Locator {
  return page.locator(`[data-lead="${leadId}"]`);
}

/** For all tests of a file. */
export function setUpShop(prepare: () => Promise<unknown> = async () => undefined): Shop {
  const site = setUpSite(prepare);
  let leads = 0;
  let buyers = 0;
  let now = '';
  const shop: Shop = {
    get cloud() {
      return site.cloud;
    },
    async newOrder(buyer = {}, limit = 10) {
      buyers += 1;
      await shop.at(DELIVERED);
      return shop.order({ buyer_id: `buyer-${buyers}`, ...buyer }, limit);
    },
    async order(buyer, limit = 10) {
      const { buyer_id, orderId, excel_link, token } = await openOrder(
        site.cloud.admin,
        { buyer_email: `${buyer.buyer_id}@example.de`, probability: 0, buyer_type: 'prepay', ...buyer },
        limit,
      );
      return { orderId, buyerId: buyer_id, token, path: new URL(excel_link).pathname };
    },
    lead(buyerId, change = {}) {
      leads += 1;
      return site.cloud.admin.ok('createLead', {
        body: aLeadRequest({
          vorname: 'Käthe',
          nachname: 'Größler',
          email: `kaethe.${leads}@example.de`,
          telefon: `+49 30 2345${String(leads).padStart(4, '0')}`,
          laufzeit: 12,
          buyer_id: buyerId,
          ...change,
        }),
      });
    },
    async approve(leadId, notes = '') {
      const { claims } = await site.cloud.admin.ok('listPendingClaims');
      const claim = claims.find(({ lead_id: id }) => id === leadId);
      await site.cloud.admin.ok('approveClaim', {
        params: { claimId: claim?.claim_id ?? 0 },
        body: { admin_notes: notes },
      });
    },
    async at(instant) {
      if (instant === now) return;
      now = instant;
      site.cloud.clock.set(new Date(instant));
      await site.cloud.admin.logIn();
    },
    async open(path, { admin = false, ...options } = {}) {
      const visit = await site.visit('/robots.txt', {
        locale: 'de-DE',
        timezoneId: 'America/New_York',
        ...options,
      });
      const alerts: string[] = [];
      visit.page.on('dialog', (dialog) => {
        alerts.push(dialog.message());
        void dialog.accept();
      });
      if (admin) {
        const cookies = [...site.cloud.admin.cookies].map(([name, value]) => ({
          name,
          value,
          url: site.cloud.url,
        }));
        await visit.page.context().addCookies(cookies);
      }
      await visit.page.goto(path);
      const nextAnswer = async () => {
        const answered = visit.page.waitForResponse((response) =>
          response.url().includes('/api/leads-view/'),
        );
        await visit.page.clock.fastForward(REFRESHES_WITHIN_MS);
        await answered;
      };
      return { ...visit, alerts, nextAnswer };
    },
  };
  return shop;
}
