/** Alert settings and open incidents. */

import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { newItem, readAll, versioned } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Put } from '#functions/data/table/table';
import { ALERT_KINDS, ALERT_THRESHOLDS, type AlertKind, mapAlertKinds } from '#shared/rules/constants';

export const ruleSchema = z.object({
  email: z.boolean(),
  push: z.boolean(),
  /** See `ALERT_THRESHOLDS`; null for a kind without a number. */
  threshold: z.nullable(z.int()),
});
export type AlertRule = z.output<typeof ruleSchema>;

const ON_AT_FIRST: ReadonlySet<AlertKind> = new Set(['delivery_failing', 'order_requested']);

export const DEFAULT_RULES: Readonly<Record<AlertKind, AlertRule>> = mapAlertKinds((kind) => ({
  email: ON_AT_FIRST.has(kind),
  push: false,
  threshold: ALERT_THRESHOLDS[kind]?.preset ?? null,
}));

export const alertSettingsSchema = z.object({
  /** Empty: the operator's addresses. */
  emails: z._default(z.array(z.string()), []),
  ...mapAlertKinds((kind) => z._default(ruleSchema, DEFAULT_RULES[kind])),
});
export type AlertSettings = z.output<typeof alertSettingsSchema>;

export const incidentSchema = z.object({
  kind: z.enum(ALERT_KINDS),
  /** An order, a buyer or a source by its number; empty for alerts about everything. */
  subject: z.string(),
  since: z.string(),
});
export type Incident = z.output<typeof incidentSchema>;

const OCCASIONS = keys.alertIncident('', '').sk.replace(/#+$/, '#');

export async function settings({
  table,
}: DataContext): Promise<AlertSettings & { readonly version: number }> {
  const item = await table.get(keys.alertSettings());
  return { ...alertSettingsSchema.parse(item ?? {}), version: Number(item?.version ?? 0) };
}
/** Fails if the settings changed since this version. */
export const settingsChanged = (version: number, settings: AlertSettings): Put =>
  versioned({ ...keys.alertSettings(), ...alertSettingsSchema.parse(settings) }, version);

export const incidents = (context: DataContext): Promise<Incident[]> =>
  readAll(context, { partition: keys.alerts(), sort: { prefix: OCCASIONS } }, incidentSchema);
/** Fails if the same incident is still open. */
export const incidentBegan = (incident: Incident): Put =>
  newItem(keys.alertIncident(incident.kind, incident.subject), incident);
export async function incidentOver(
  { table }: DataContext,
  { kind, subject, since }: Incident,
): Promise<void> {
  await table.delete({
    delete: keys.alertIncident(kind, subject),
    condition: 'since = :since',
    values: { ':since': since },
  });
}

/** Berlin day; undefined before the first summary. */
export async function summaryDay({ table }: DataContext): Promise<string | undefined> {
  const item = await table.get(keys.alertSummary());
  return item && String(item.day);
}
/** Fails if the summary of this or a later day was sent. */
export const summarySent = (day: string): Put => ({
  put: { ...keys.alertSummary(), day },
  condition: 'attribute_not_exists(pk) OR #day < :day',
  names: { '#day': 'day' },
  values: { ':day': day },
});
