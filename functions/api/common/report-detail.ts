import type { Report } from '#functions/channels/channel';

/** The error and the buyer's server's answer in one text; null without either. */
export function reportDetail({ error, answer }: Report): string | null {
  return [error, answer].filter((text) => text !== null).join(': ') || null;
}
