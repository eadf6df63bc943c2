/** Figures of a screen that a person notices: how many fields, how high, how many lines. */
import type { Locator, Page } from 'playwright-core';

/** Fields that a person sees, without those of closed groups. */
export const visibleFields = (place: Locator): Promise<number> =>
  place.locator('input:visible, select:visible, textarea:visible').count();

/** The distance from the top of the window to an element's bottom. */
export async function bottomOf(place: Locator): Promise<number> {
  const box = await place.boundingBox();
  return box === null ? Number.NaN : box.y + box.height;
}

/** The distance from the top of the window to an element. */
export async function topOf(place: Locator): Promise<number> {
  return (await place.boundingBox())?.y ?? Number.NaN;
}

export const sized = (page: Page, width: number, height: number) => page.setViewportSize({ width, height });
