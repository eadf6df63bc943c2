/**
 * Alerts to admins by e-mail and push, once per incident. One transaction begins an incident and writes its notices, so neither a crash nor
 * parallel runs alert twice. An incident ends when it is over or its alert is switched off.
 */

import type { AlertSettings, Occasion } from '#functions/data/alerts/alert-store';
import * as alertStore from '#functions/data/alerts/alert-store';
import type { Context } from '#functions/data/context';
import * as noticeStore from '#functions/data/deliveries/notice-store';
import type { Put } from '#functions/data/table/table';
import {
  type Asked,
  type ConditionContext,
  type Found,
  findConditions,
  isWatched,
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

const OCCASIONS_PER_ALERT = 40;

export const isOn = (settings: AlertSettings, kind: AlertKind): boolean =>
  ALERT_MEDIA.some((medium) => settings[kind][medium]);

export function askedOf(settings: AlertSettings, kinds: readonly WatchedKind[]): Asked {
  return new Map(kinds.map((kind) => [kind, settings[kind].threshold ?? 0]));
}

export async function raiseAlerts(context: AlertContext, kinds: readonly WatchedKind[]): Promise<number> {
  const [{ version: _, ...settings }, occasions] = await Promise.all([
    alertStore.settings(context),
    alertStore.occasions(context),
  ]);
  const due = kinds.filter((kind) => isOn(settings, kind));
  const open = new Map(occasions.map((occasion) => [nameOf(occasion), occasion]));
  const found = await findConditions(context, askedOf(settings, due));
  await endOccasions(context, settings, occasions, due, found);
  const fresh = found.filter((one) => !open.has(nameOf(one)));
  let written = await raiseSummary(context, settings);
  for (let start = 0; start < fresh.length; start += OCCASIONS_PER_ALERT) {
    const part = fresh.slice(start, start + OCCASIONS_PER_ALERT);
    const since = context.runtime.now().toISOString();
    const notices = noticesOf(context, (medium) => {
      const asked = part.filter(({ kind }) => settings[kind][medium]);
      return asked.length === 0 ? undefined : context.texts.found(asked);
    });
    // It fails if another run was faster; the next run alerts of what that one did not find.
    const { ok } = await context.table.transact([
      ...part.map(({ kind, subject }) => alertStore.occasionBegan({ kind, subject, since })),
      ...notices,
    ]);
    if (ok) written += notices.length;
  }
  return written;
}

const nameOf = ({ kind, subject }: Pick<Occasion, 'kind' | 'subject'>) => `${kind}#${subject}`;

async function endOccasions(
  context: AlertContext,
  settings: AlertSettings,
  occasions: readonly Occasion[],
  due: readonly WatchedKind[],
  found: readonly Found[],
): Promise<void> {
  const still = new Set(found.map(nameOf));
  for (const occasion of occasions) {
    const { kind } = occasion;
    const isLookedFor = isWatched(kind) && due.includes(kind);
    if (!isOn(settings, kind) || (isLookedFor && !still.has(nameOf(occasion))))
      await alertStore.occasionOver(context, occasion);
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
  const notices = noticesOf(context, (medium) => (settings.daily_summary[medium] ? text : undefined));
  const { ok } = await context.table.transact([alertStore.summarySent(today), ...notices]);
  return ok ? notices.length : 0;
}

export async function noticesFor(context: Context, kind: AlertKind, text: AlertText): Promise<Put[]> {
  const settings = await alertStore.settings(context);
  return noticesOf(context, (medium) => (settings[kind][medium] ? text : undefined));
}

export async function tell(context: Context, kind: AlertKind, text: AlertText): Promise<void> {
  for (const notice of await noticesFor(context, kind, text)) await context.table.put(notice);
}

function noticesOf(context: Context, textFor: (medium: AlertMedium) => AlertText | undefined): Put[] {
  const alert = context.runtime.newId();
  return ALERT_MEDIA.flatMap((medium) => {
    const text = textFor(medium);
    return text === undefined
      ? []
      : [
          noticeStore.created(
            { about: 'alert', alert, medium, title: text.title, lines: [...text.lines] },
            context.runtime.now(),
          ),
        ];
  });
}
