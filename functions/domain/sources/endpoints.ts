import type { DataContext } from '#functions/data/context';
import type { EndpointSettings, Endpoints } from '#functions/data/sources/endpoints';
import * as endpointStore from '#functions/data/sources/endpoints';
import type { Put } from '#functions/data/table/table';
import { aboutSource, auditEntry, editEntry } from '#functions/domain/common/audit';
import { requireUnchanged } from '#functions/domain/common/edited-meanwhile';
import { retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { type EndpointContext, withoutSecret, withSecret } from '#functions/domain/sources/signing-secrets';
import { requireSource } from '#functions/domain/sources/sources';
import { CONFLICT } from '#functions/platform/retry';
import { ENDPOINTS, type Endpoint, type KeySlot } from '#shared/rules/constants';

type Choice = Pick<EndpointSettings, 'url' | 'events'> | null;
type Choices = Record<Endpoint, Choice>;
type Change = { readonly [Name in Endpoint]?: Choice | undefined };

export async function readEndpoints(context: DataContext, id: number): Promise<Endpoints> {
  const [endpoints] = await Promise.all([endpointStore.get(context, id), requireSource(context, id)]);
  return endpoints;
}

/** @returns a new secret in plain text, with the first webhook @throws DomainError 404; 409 if an endpoint has changed since it was read */
export async function updateEndpoints(
  context: EndpointContext,
  who: string,
  id: number,
  { expected, ...change }: Change & { readonly expected?: Change | undefined },
): Promise<{ readonly endpoints: Endpoints; readonly secret: string | null }> {
  const about = aboutSource(await requireSource(context, id));
  return retryOnConflict(context.runtime, async () => {
    const before = await endpointStore.get(context, id);
    requireUnchanged(expected, choicesOf(before));
    const { webhook = before.webhook ?? null, postback = before.postback ?? null } = change;
    const isFirst = webhook !== null && Object.keys(before.secrets).length === 0;
    const added = isFirst ? withSecret(context, {}) : undefined;
    const secret = added?.secret ?? null;
    const next = {
      ...(webhook !== null && { webhook }),
      ...(postback !== null && { postback }),
      secrets: added?.secrets ?? before.secrets,
    };
    const edits = { before: shown(before), after: shown(next) };
    const edited = editEntry(context, { who, action: 'callbacks_updated', ...about, ...edits });
    if (edited.length === 0) return { endpoints: before, secret: null };
    return (await written(context, before, next, edited))
      ? { endpoints: await endpointStore.get(context, id), secret }
      : CONFLICT;
  });
}

/** Adds a secret, with which webhooks are signed too. @throws DomainError 404; 409 if there are two */
export async function createSigningSecret(
  context: EndpointContext,
  who: string,
  id: number,
): Promise<{ readonly endpoints: Endpoints; readonly secret: string }> {
  const about = aboutSource(await requireSource(context, id));
  return retryOnConflict(context.runtime, async () => {
    const before = await endpointStore.get(context, id);
    const { slot, secret, secrets } = withSecret(context, before.secrets);
    const after = { signing_secret: slot };
    const entry = auditEntry(context, { who, action: 'secret_created', ...about, after });
    const next = { ...before, secrets };
    return (await written(context, before, next, [entry]))
      ? { endpoints: await endpointStore.get(context, id), secret }
      : CONFLICT;
  });
}

/** Ends a secret at once. @throws DomainError 404; 409 for a webhook's only one */
export async function revokeSigningSecret(
  context: EndpointContext,
  who: string,
  id: number,
  slot: KeySlot,
): Promise<Endpoints> {
  const about = { ...aboutSource(await requireSource(context, id)), before: { signing_secret: slot } };
  return retryOnConflict(context.runtime, async () => {
    const before = await endpointStore.get(context, id);
    const secrets = withoutSecret(before.secrets, slot, before.webhook !== undefined);
    const entry = auditEntry(context, { who, action: 'secret_revoked', ...about });
    return (await written(context, before, { ...before, secrets }, [entry]))
      ? endpointStore.get(context, id)
      : CONFLICT;
  });
}

async function written(
  { table }: EndpointContext,
  before: Endpoints,
  next: Omit<Endpoints, 'source' | 'version'>,
  entries: readonly Put[],
): Promise<boolean> {
  return (await table.transact([endpointStore.changed(before, next), ...entries])).ok;
}

const choicesOf = ({ webhook, postback }: Endpoints): Choices => ({
  webhook: choiceOf(webhook),
  postback: choiceOf(postback),
});

const choiceOf = (settings: EndpointSettings | undefined): Choice =>
  settings === undefined ? null : { url: settings.url, events: settings.events };

function shown(endpoints: Pick<Endpoints, 'webhook' | 'postback'>): object {
  return Object.fromEntries(
    ENDPOINTS.flatMap((name) => {
      const settings = endpoints[name];
      return [
        [name, settings?.url ?? null],
        [`${name}_events`, settings?.events.join(', ') ?? null],
        [`${name}_gone`, settings?.gone_at !== undefined],
      ];
    }),
  );
}
