/** The webhooks of the installation: what admins set. */
import type { Context } from '#functions/data/context';
import type { Webhook, Webhooks } from '#functions/data/webhooks/webhooks';
import * as webhookStore from '#functions/data/webhooks/webhooks';
import { auditEntry, editEntry } from '#functions/domain/common/audit';
import { requireUnchanged } from '#functions/domain/common/edited-meanwhile';
import { conflict, notFound } from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { type EndpointContext, withoutSecret, withSecret } from '#functions/domain/sources/signing-secrets';
import { type KeySlot, MAX_WEBHOOKS } from '#shared/rules/constants';

type Choices = Pick<Webhook, 'name' | 'url' | 'events'>;
type Change = { readonly [Name in keyof Choices]?: Choices[Name] | undefined };

interface WithSecret {
  readonly webhook: Webhook;
  /** In plain text. */
  readonly secret: string;
}

export const aboutWebhook = ({ webhook, name }: Pick<Webhook, 'webhook' | 'name'>) =>
  ({ entity: 'setting', entityId: `webhook-${webhook}`, label: name }) as const;

export function requireWebhook({ webhooks }: Webhooks, id: number): Webhook {
  const found = webhooks.find(({ webhook }) => webhook === id);
  if (found === undefined) throw notFound('Webhook');
  return found;
}

/** @throws DomainError 409 if there are as many as allowed */
export async function createWebhook(
  context: EndpointContext,
  who: string,
  choices: Choices,
): Promise<WithSecret> {
  return retryOnConflict(context.runtime, async () => {
    const before = await webhookStore.get(context);
    if (before.webhooks.length >= MAX_WEBHOOKS)
      throw conflict('too_many_webhooks', `There can be at most ${MAX_WEBHOOKS} webhooks. Delete one first.`);
    const { secret, secrets } = withSecret(context, {});
    const webhook = { webhook: before.last + 1, ...choices, secrets };
    return committed(context, { webhook, secret }, [
      webhookStore.changed(before, { last: webhook.webhook, webhooks: [...before.webhooks, webhook] }),
      auditEntry(context, { who, action: 'created', ...aboutWebhook(webhook), after: shown(webhook) }),
    ]);
  });
}

/** Turns it on again if its receiver was gone. @throws DomainError 404; 409 if it has changed since it was read */
export async function updateWebhook(
  context: Context,
  who: string,
  id: number,
  { expected, ...change }: Change & { readonly expected?: Change | undefined },
): Promise<Webhook> {
  return retryOnConflict(context.runtime, async () => {
    const all = await webhookStore.get(context);
    const before = requireWebhook(all, id);
    const { gone_at: _, ...on } = before;
    requireUnchanged(expected, before);
    const after = {
      ...on,
      name: change.name ?? on.name,
      url: change.url ?? on.url,
      events: change.events ?? on.events,
    };
    const edits = { before: shown(before), after: shown(after) };
    const entries = editEntry(context, { who, action: 'updated', ...aboutWebhook(after), ...edits });
    if (entries.length === 0) return before;
    return committed(context, after, [webhookStore.changedOne(all, id, after), ...entries]);
  });
}

/** @throws DomainError 404 */
export async function deleteWebhook(context: Context, who: string, id: number): Promise<void> {
  return retryOnConflict(context.runtime, async () => {
    const all = await webhookStore.get(context);
    const before = requireWebhook(all, id);
    return committed(context, undefined, [
      webhookStore.changedOne(all, id, undefined),
      auditEntry(context, { who, action: 'deleted', ...aboutWebhook(before), before: shown(before) }),
    ]);
  });
}

/** Adds a secret, with which the webhook is signed too. @throws DomainError 404; 409 if there are two */
export async function createWebhookSecret(
  context: EndpointContext,
  who: string,
  id: number,
): Promise<WithSecret> {
  return retryOnConflict(context.runtime, async () => {
    const all = await webhookStore.get(context);
    const before = requireWebhook(all, id);
    const { slot, secret, secrets } = withSecret(context, before.secrets);
    const webhook = { ...before, secrets };
    const after = { signing_secret: slot };
    return committed(context, { webhook, secret }, [
      webhookStore.changedOne(all, id, webhook),
      auditEntry(context, { who, action: 'secret_created', ...aboutWebhook(before), after }),
    ]);
  });
}

/** Ends a secret at once. @throws DomainError 404; 409 for the only one */
export async function revokeWebhookSecret(
  context: Context,
  who: string,
  id: number,
  slot: KeySlot,
): Promise<Webhook> {
  return retryOnConflict(context.runtime, async () => {
    const all = await webhookStore.get(context);
    const before = requireWebhook(all, id);
    const webhook = { ...before, secrets: withoutSecret(before.secrets, slot, true) };
    const edit = { before: { signing_secret: slot } };
    return committed(context, webhook, [
      webhookStore.changedOne(all, id, webhook),
      auditEntry(context, { who, action: 'secret_revoked', ...aboutWebhook(before), ...edit }),
    ]);
  });
}

const shown = ({ name, url, events, gone_at }: Webhook) => ({
  name,
  webhook: url,
  webhook_events: events.join(', '),
  webhook_gone: gone_at !== undefined,
});
