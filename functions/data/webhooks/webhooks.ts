/** The webhooks of the installation, all in one item, which the outbox reads at once. */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { signingSecrets } from '#functions/data/sources/endpoints';
import { read, versioned } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Put } from '#functions/data/table/table';
import { WEBHOOK_EVENTS, type WebhookEvent } from '#shared/rules/constants';

export const webhookSchema = z.object({
  /** Never used again after its removal. */
  webhook: z.int(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  /** The receiver answered 410, so nothing is sent there. */
  gone_at: z.optional(z.string()),
  secrets: signingSecrets,
});
export type Webhook = z.output<typeof webhookSchema>;

export const webhooksSchema = z.object({
  /** Incremented by every change. A write requires the version that was read. */
  version: z.int(),
  /** The highest number that was ever used. */
  last: z.int(),
  webhooks: z.array(webhookSchema),
});
export type Webhooks = z.output<typeof webhooksSchema>;

export const get = async (context: DataContext): Promise<Webhooks> =>
  (await read(context, keys.webhooks(), webhooksSchema)) ?? { version: 0, last: 0, webhooks: [] };

export const changed = (expected: Webhooks, next: Omit<Webhooks, 'version'>): Put =>
  versioned({ ...keys.webhooks(), ...next }, expected.version);

/** @param next undefined: it is removed */
export const changedOne = (expected: Webhooks, webhook: number, next: Webhook | undefined): Put =>
  changed(expected, {
    ...expected,
    webhooks: expected.webhooks.flatMap((one) => (one.webhook === webhook ? (next ?? []) : one)),
  });

/** @returns false if an admin changed the webhooks since */
export async function gone(
  { table }: DataContext,
  expected: Webhooks,
  webhook: Webhook,
  at: Date,
): Promise<boolean> {
  const off = { ...webhook, gone_at: at.toISOString() };
  return (await table.put(changedOne(expected, webhook.webhook, off))).ok;
}

export const webhooksFor = ({ webhooks }: Webhooks, event: WebhookEvent): Webhook[] =>
  webhooks.filter(({ events, gone_at }) => gone_at === undefined && events.includes(event));
