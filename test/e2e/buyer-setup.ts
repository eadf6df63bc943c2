/** Helpers of the buyer page's tests: the product at a chosen time, orders, leads, and their pages. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { REFRESHED_WITHIN_MS } from '#test/e2e/admin-setup';
import { setUpSite } from '#test/e2e/fixture';
import type { BuyerRequest } from '#test/factories/buyers';
import { aLeadRequest, type LeadRequest } from '#test/factories/people';
import { openOrder } from '#test/harness/cloud';

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Sizes with different layouts: list or cards, dialogs, menus. */
export const SCREENS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['on a desktop', { viewport: { width: 1280, height: 800 } }],
  ['on a phone', PHONE],
];

/** Wednesday; with Whit Monday on the 17th the seventh working day is the 24th, the fifth the 20th. */
export const DELIVERED = '2027-05-12T07:00:00Z';

/** The row or card of a lead. */
export function rowOf(page: Page, leadId: string): Locator {
  return page.locator(`[data-lead="${leadId}"]`);
}

export type BuyerVisit = Awaited<ReturnType<ReturnType<typeof setUpShop>['open']>>;

/** The product for all tests of a file. */
export function setUpShop() {
  const site = setUpSite();
  let leads = 0;
  let buyers = 0;
  let now = '';
  const shop = {
    get cloud() {
      return site.cloud;
    },
    /** A buyer with an open order. */
    async order(buyer: Partial<BuyerRequest> & { buyer_id: string }, limit = 10) {
      const { buyer_id, orderId, excel_link, token } = await openOrder(
        site.cloud.admin,
        { buyer_email: `${buyer.buyer_id}@example.de`, probability: 0, buyer_type: 'prepay', ...buyer },
        limit,
      );
      return { orderId, buyerId: buyer_id, token, path: new URL(excel_link).pathname };
    },
    /** The same at `DELIVERED`, for a buyer of this test only. */
    async newOrder(buyer: Partial<BuyerRequest> = {}) {
      buyers += 1;
      await shop.at(DELIVERED);
      return shop.order({ buyer_id: `buyer-${buyers}`, ...buyer });
    },
    /** A lead delivered to a buyer. */
    lead(buyerId: string, change: Partial<LeadRequest> = {}) {
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
    /** Decides the pending claim of a lead. */
    async approve(leadId: string, admin_notes = '') {
      const { claims } = await site.cloud.admin.ok('listPendingClaims');
      const claimId = claims.find(({ lead_id }) => lead_id === leadId)?.claim_id ?? 0;
      await site.cloud.admin.ok('approveClaim', { params: { claimId }, body: { admin_notes } });
    },
    /** Sets the clock of the product; the admin logs in again. */
    async at(instant: string) {
      if (instant === now) return;
      now = instant;
      site.cloud.clock.set(new Date(instant));
      await site.cloud.admin.logIn();
    },
    /** A page far from Berlin, for a visitor or with the admin's session. */
    async open(
      path: string,
      { admin = false, ...options }: BrowserContextOptions & { admin?: boolean } = {},
    ) {
      const visit = await site.visit('/robots.txt', {
        locale: 'de-DE',
        timezoneId: 'America/New_York',
        ...options,
      });
      const { page } = visit;
      /** The texts of the browser alerts so far; each is closed at once. */
      const alerts: string[] = [];
      page.on('dialog', (dialog) => {
        alerts.push(dialog.message());
        void dialog.accept();
      });
      if (admin)
        await page
          .context()
          .addCookies(
            [...site.cloud.admin.cookies].map(([name, value]) => ({ name, value, url: site.cloud.url })),
          );
      await page.goto(path);
      /** Advances the page's clock to its next refresh of the list, and waits for the answer. */
      const nextAnswer = async () => {
        const answered = page.waitForResponse((response) => response.url().includes('/api/leads-view/'));
        await page.clock.fastForward(REFRESHED_WITHIN_MS);
        await answered;
      };
      return { ...visit, alerts, nextAnswer };
    },
  };
  return shop;
}
