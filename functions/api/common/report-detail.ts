import type { Report } from '#functions/channels/channel';

export function reportDetail({ error, answer }: Report): string | null {
  return [error, answer].filter((text) => text !== null).join(': ') || null;
}
