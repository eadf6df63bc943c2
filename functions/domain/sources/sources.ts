import * as templateStore from '#functions/data/administration/template-store';
import type { Context, DataContext } from '#functions/data/context';
import { type Source, UNLIMITED } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import type { TransactionItem } from '#functions/data/table/table';
import { aboutSource, auditEntry, editEntry } from '#functions/domain/common/audit';
import { requireUnchanged } from '#functions/domain/common/edited-meanwhile';
import { conflict, invalid, notFound } from '#functions/domain/common/errors';
import { committed, retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { secretHash } from '#functions/domain/common/secret-hash';
import { rangeOf } from '#functions/domain/sources/addresses';
import { newSourceKey, prefixOf } from '#functions/domain/sources/source-key';
import { CONFLICT } from '#functions/platform/retry';
import { KEY_SLOTS, type KeySlot } from '#shared/rules/constants';
import { berlinDay } from '#shared/rules/working-days';

const SETTINGS = [
  'name',
  'src',
  'state',
  'addresses',
  'origins',
  'mapping',
  'defaults',
  'per_minute',
  'per_day',
  'in_total',
  'cost_per_lead',
  'window_days',
  'on_duplicate',
  'sees_buyers',
  'consent',
  'double_opt_in',
] as const satisfies readonly (keyof Source)[];

export type SourceSettings = Omit<Pick<Source, (typeof SETTINGS)[number]>, 'per_day' | 'in_total'> & {
  readonly per_day: number | null;
  readonly in_total: number | null;
};
type Change = { readonly [Name in keyof SourceSettings]?: SourceSettings[Name] | undefined };

const DEFAULTS: Omit<SourceSettings, 'name' | 'src'> = {
  state: 'test',
  addresses: [],
  origins: [],
  mapping: {},
  defaults: {},
  per_minute: 600,
  per_day: null,
  in_total: null,
  cost_per_lead: null,
  window_days: 30,
  on_duplicate: 'refuse',
  sees_buyers: false,
  consent: 'hold',
  double_opt_in: false,
};

export async function createSource(
  context: Context,
  who: string,
  { name, src, ...chosen }: Change & Pick<SourceSettings, 'name' | 'src'>,
): Promise<Source> {
  const settings = { name, src, ...DEFAULTS, ...given(chosen), state: DEFAULTS.state };
  const limits = { per_day: settings.per_day ?? UNLIMITED, in_total: settings.in_total ?? UNLIMITED };
  requireAddresses(settings.addresses);
  const now = context.runtime.now();
  const source: Source = {
    source: await sourceStore.nextId(context),
    ...settings,
    ...limits,
    specification_token: context.runtime.newToken(),
    consent_texts: [],
    consent_text_count: 0,
    keys: {},
    salt: context.runtime.newToken(),
    created_at: now.toISOString(),
    version: 1,
    minute: 0,
    minute_left: settings.per_minute,
    day: berlinDay(now),
    day_left: limits.per_day,
    total_left: limits.in_total,
  };
  return retryOnConflict(context.runtime, async () =>
    committed(context, source, [
      ...sourceStore.created(source),
      ...costChanged(source.day, null, source),
      ...(settings.double_opt_in ? [await mailServerChosen(context)] : []),
      auditEntry(context, { who, action: 'created', ...aboutSource(source), after: settingsOf(source) }),
    ]),
  );
}

export async function updateSource(
  context: Context,
  who: string,
  id: number,
  { expected, ...change }: Change & { readonly expected?: Change | undefined },
): Promise<Source> {
  if (change.addresses !== undefined) requireAddresses(change.addresses);
  return retryOnConflict(context.runtime, async () => {
    const before = await requireSource(context, id);
    const settings = settingsOf(before);
    requireUnchanged(expected, settings);
    const edits = { before: settings, after: { ...settings, ...given(change) } };
    const edited = editEntry(context, { who, action: 'updated', ...aboutSource(before), ...edits });
    if (edited.length === 0) return before;
    const isOpened = change.double_opt_in === true && !before.double_opt_in;
    const written = await context.table.transact([
      ...sourceStore.changed(before, stored(given(change))),
      ...costChanged(berlinDay(context.runtime.now()), before.cost_per_lead, { ...before, ...given(change) }),
      ...(isOpened ? [await mailServerChosen(context)] : []),
      ...edited,
    ]);
    return written.ok ? requireSource(context, id) : CONFLICT;
  });
}

/** @returns the key in plain text, which is not shown again @throws DomainError 404; 409 if there are two */
export async function createSourceKey(
  context: Context,
  who: string,
  id: number,
): Promise<{ readonly source: Source; readonly key: string }> {
  return retryOnConflict(context.runtime, async () => {
    const before = await requireSource(context, id);
    const slot = KEY_SLOTS.find((one) => before.keys[one] === undefined);
    if (slot === undefined) throw conflict('two_keys', 'The source already has two keys. Revoke one first.');
    const key = newSourceKey(context.runtime, id, slot);
    const written = await context.table.transact([
      sourceStore.keyChanged(before, slot, {
        prefix: prefixOf(key),
        hash: secretHash(key),
        created_at: context.runtime.now().toISOString(),
        last_used_at: null,
      }),
      auditEntry(context, {
        who,
        action: 'key_created',
        ...aboutSource(before),
        after: { key: prefixOf(key) },
      }),
    ]);
    return written.ok ? { source: await requireSource(context, id), key } : CONFLICT;
  });
}

export async function revokeSourceKey(
  context: Context,
  who: string,
  id: number,
  slot: KeySlot,
): Promise<Source> {
  return retryOnConflict(context.runtime, async () => {
    const before = await requireSource(context, id);
    const key = before.keys[slot];
    if (key === undefined) throw notFound('Key');
    const written = await context.table.transact([
      sourceStore.keyChanged(before, slot, undefined),
      auditEntry(context, {
        who,
        action: 'key_revoked',
        ...aboutSource(before),
        before: { key: key.prefix },
      }),
    ]);
    return written.ok ? requireSource(context, id) : CONFLICT;
  });
}

export async function requireSource(context: DataContext, id: number): Promise<Source> {
  const source = await sourceStore.get(context, id);
  if (source === undefined) throw notFound('Source');
  return source;
}

/** Holds for the whole day of the change. */
function costChanged(
  from: string,
  before: number | null,
  { source, cost_per_lead: cents }: Pick<Source, 'source' | 'cost_per_lead'>,
): TransactionItem[] {
  return cents === before ? [] : [sourceStore.costSet({ source, from, cents })];
}

const orNull = (limit: number) => (limit === UNLIMITED ? null : limit);

export function settingsOf({ per_day, in_total, ...source }: Source): SourceSettings {
  const { name, src, state, addresses, origins, mapping, defaults } = source;
  const { per_minute, cost_per_lead, window_days, on_duplicate, sees_buyers, consent, double_opt_in } =
    source;
  return {
    name,
    src,
    state,
    addresses,
    origins,
    mapping,
    defaults,
    per_minute,
    per_day: orNull(per_day),
    in_total: orNull(in_total),
    cost_per_lead,
    window_days,
    on_duplicate,
    sees_buyers,
    consent,
    double_opt_in,
  };
}

function stored({ per_day: perDay, in_total: inTotal, ...fields }: Partial<SourceSettings>): Partial<Source> {
  return {
    ...fields,
    ...(perDay !== undefined && { per_day: perDay ?? UNLIMITED }),
    ...(inTotal !== undefined && { in_total: inTotal ?? UNLIMITED }),
  };
}

function given(change: Change): Partial<SourceSettings> {
  const fields: Partial<SourceSettings> = {};
  const set = <Name extends keyof SourceSettings>(name: Name, value: SourceSettings[Name] | undefined) => {
    if (value !== undefined) fields[name] = value;
  };
  for (const name of SETTINGS) set(name, change[name]);
  return fields;
}

/** People get the e-mail by the mail server of an e-mail template. @returns the write that fails if it is deleted meanwhile */
async function mailServerChosen(context: DataContext): Promise<TransactionItem> {
  const [template] = await templateStore.all(context);
  if (template !== undefined) return templateStore.chosen(template.id);
  const text = 'No e-mail can be sent yet. Add an e-mail template with a mail server in the settings first';
  throw invalid('no_mail_server', text, { double_opt_in: text });
}

function requireAddresses(addresses: readonly string[]): void {
  const wrong = addresses.find((address) => rangeOf(address) === undefined);
  const text = `${wrong} is not an IP address or range`;
  if (wrong !== undefined) throw invalid('invalid_input', text, { addresses: text });
}
