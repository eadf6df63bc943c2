/** Pages that were opened before a deployment and are used after it. */
import type { Page } from 'playwright-core';
import { logIn } from '#test/e2e/fixture';
import { launchBrowser } from '#test/harness/browser';
import { expect } from '#test/judges/cloud/findings';
import type { Stage } from '#test/judges/cloud/stage';

const PATIENCE_MS = 20_000;
const KEPT = 'window.wasNotReloaded';

export interface OpenPages {
  /** Uses what the pages have not loaded yet. @throws Error unless it works without a reload and a login */
  goOn(): Promise<void>;
  close(): Promise<void>;
}

/** An admin's and a buyer's. */
export async function openPages(stage: Stage, link: string): Promise<OpenPages> {
  const browser = await launchBrowser();
  const problems: string[] = [];
  let scripts = 0;
  const visit = async (path: string): Promise<Page> => {
    const page = await (await browser.newContext({ baseURL: stage.edge.url })).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', ({ message }) => problems.push(`uncaught: ${message}`));
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts += 1;
      if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(path);
    return page;
  };
  const admin = await visit('/');
  await logIn(admin, stage.firstAdmin);
  await admin.getByText('Active Orders').first().waitFor();
  const buyer = await visit(link);
  // Its title in earlier releases, and today.
  const statement = buyer
    .getByText(/^(Kontoauszug|Abrechnung)\s*$/)
    .filter({ visible: true })
    .first();
  await statement.waitFor();
  for (const page of [admin, buyer]) await page.evaluate(`${KEPT} = true`);
  return {
    async goOn() {
      scripts = 0;
      await admin.getByRole('link', { name: 'Buyer Statistics' }).first().click();
      await admin.getByRole('link', { name: 'Export XLSX of buyer statistics' }).waitFor();
      await admin.getByRole('link', { name: 'Settings' }).first().click();
      await admin.getByText('API Verification Settings').first().waitFor();
      const ofAdmin = scripts;
      await statement.click();
      await buyer.getByText('Offene Ersatzleads').first().waitFor();
      expect(problems.length === 0, problems.join('; '));
      expect(ofAdmin > 1 && scripts > ofAdmin, 'The pages had loaded everything before');
      for (const page of [admin, buyer])
        expect((await page.evaluate(KEPT)) === true, `${page.url()} was reloaded`);
    },
    close: () => browser.close(),
  };
}
