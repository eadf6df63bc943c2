import type { Report } from '#functions/channels/channel';

/** What went wrong and what the other side said. */
export function reportDetail({ error, answer }: Report): string | null {
  return [error, answer].filter((text) => text !== null).join(': ') || null;
}
