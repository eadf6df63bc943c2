/**
 * Alerts to admins by e-mail and push, once per incident. One transaction begins an incident and writes its notices, so neither a crash nor
 * parallel runs alert twice. An incident ends when it is over or its alert is switched off.
 */

import type { AlertSettings, Incident } from '#functions/data/alerts/alert-store';
import * as alertStore from '#functions/data/alerts/alert-store';
import type { Context } from '#functions/data/context';
import * as notificationStore from '#functions/data/deliveries/notification-store';
import type { Put } from '#functions/data/table/table';
import {
  type ConditionContext,
  type Found,
  findConditions,
  type Thresholds,
  type WatchedKind,
} from '#functions/domain/alerts/conditions';
import { type Summary, summaryOf } from '#functions/domain/alerts/summary';
import type { DashboardContext } from '#functions/domain/statistics/dashboard';
import { ALERT_MEDIA, type AlertKind, type AlertMedium } from '#shared/rules/constants';
import { addDays, berlinDay, berlinHour } from '#shared/rules/working-days';

export interface AlertText {
  readonly title: string;
  readonly lines: readonly string[];
}

export interface AlertTexts {
  found(found: readonly Found[]): AlertText;
  summary(summary: Summary): AlertText;
}

export type AlertContext = ConditionContext & DashboardContext & { readonly texts: AlertTexts };

const INCIDENTS_PER_ALERT = 40;

export const isOn = (settings: AlertSettings, kind: AlertKind): boolean =>
  ALERT_MEDIA.some((medium) => settings[kind][medium]);

export function thresholdsFor(settings: AlertSettings, kinds: readonly WatchedKind[]): Thresholds {
  return new Map(kinds.map((kind) => [kind, settings[kind].threshold ?? 0]));
}

export async function raiseAlerts(context: AlertContext, kinds: readonly WatchedKind[]): Promise<number> {
  const [{ version: _, ...settings }, incidents] = await Promise.all([
    alertStore.settings(context),
    alertStore.incidents(context),
  ]);
  const due = kinds.filter((kind) => isOn(settings, kind));
  const open = new Map(incidents.map((incident) => [nameOf(incident), incident]));
  const found = await findConditions(context, thresholdsFor(settings, due));
  await endIncidents(context, settings, incidents, due, found);
  const fresh = found.filter((one) => !open.has(nameOf(one)));
  let written = await raiseSummary(context, settings);
  for (let start = 0; start < fresh.length; start += INCIDENTS_PER_ALERT) {
    const part = fresh.slice(start, start + INCIDENTS_PER_ALERT);
    const since = context.runtime.now().toISOString();
    const notifications = notificationsOf(context, (medium) => {
      const thresholds = part.filter(({ kind }) => settings[kind][medium]);
      return thresholds.length === 0 ? undefined : context.texts.found(thresholds);
    });
    // Fails if another run was faster. The next run sends the alerts that the other run did not find.
    const { ok } = await context.table.transact([
      ...part.map(({ kind, subject }) => alertStore.incidentBegan({ kind, subject, since })),
      ...notifications,
    ]);
    if (ok) written += notifications.length;
  }
  return written;
}

const nameOf = ({ kind, subject }: Pick<Incident, 'kind' | 'subject'>) => `${kind}#${subject}`;

async function endIncidents(
  context: AlertContext,
  settings: AlertSettings,
  incidents: readonly Incident[],
  due: readonly WatchedKind[],
  found: readonly Found[],
): Promise<void> {
  const still = new Set(found.map(nameOf));
  for (const incident of incidents) {
    const { kind } = incident;
    const isChecked = due.some((one) => one === kind);
    if (!isOn(settings, kind) || (isChecked && !still.has(nameOf(incident))))
      await alertStore.incidentOver(context, incident);
  }
}

async function raiseSummary(context: AlertContext, settings: AlertSettings): Promise<number> {
  const { threshold } = settings.daily_summary;
  const now = context.runtime.now();
  if (!isOn(settings, 'daily_summary') || berlinHour(now) < (threshold ?? 0)) return 0;
  const today = berlinDay(now);
  if (((await alertStore.summaryDay(context)) ?? '') >= today) return 0;
  const text = context.texts.summary(
    await summaryOf(context, addDays(today, -1), settings.order_nearly_full.threshold ?? 0),
  );
  const notifications = notificationsOf(context, (medium) =>
    settings.daily_summary[medium] ? text : undefined,
  );
  const { ok } = await context.table.transact([alertStore.summarySent(today), ...notifications]);
  return ok ? notifications.length : 0;
}

export async function notificationsFor(context: Context, kind: AlertKind, text: AlertText): Promise<Put[]> {
  const settings = await alertStore.settings(context);
  return notificationsOf(context, (medium) => (settings[kind][medium] ? text : undefined));
}

export async function notify(context: Context, kind: AlertKind, text: AlertText): Promise<void> {
  for (const notification of await notificationsFor(context, kind, text))
    await context.table.put(notification);
}

function notificationsOf(context: Context, textFor: (medium: AlertMedium) => AlertText | undefined): Put[] {
  const alert = context.runtime.newId();
  const now = context.runtime.now();
  return ALERT_MEDIA.flatMap((medium) => {
    const text = textFor(medium);
    if (text === undefined) return [];
    const { title, lines } = text;
    return [notificationStore.created({ about: 'alert', alert, medium, title, lines: [...lines] }, now)];
  });
}
