/** A separate file, so that it is loaded on demand. */

import type { AlertSettings } from '#functions/data/alerts/alert-store';
import * as alertStore from '#functions/data/alerts/alert-store';
import { createOrderCache } from '#functions/data/orders/order-cache';
import type { Table } from '#functions/data/table/table';
import { thresholdsFor } from '#functions/domain/alerts/alerts';
import { findConditions, WATCHED_KINDS } from '#functions/domain/alerts/conditions';
import { alertLine } from '#functions/platform/alert-texts';
import type { Runtime } from '#functions/platform/runtime';
import { type AlertKind, mapAlertKinds } from '#shared/rules/constants';

/** @param thresholds replace the stored ones, also those of kinds that are off */
export async function alertsNow(
  table: Table,
  runtime: Runtime,
  thresholds: { readonly [Kind in AlertKind]?: number | undefined },
): Promise<{ kind: AlertKind; text: string }[]> {
  const context = { table, runtime, orderCache: createOrderCache(table, runtime.now) };
  const { emails, ...rules } = await alertStore.settings(context);
  const settings: AlertSettings = {
    emails,
    ...mapAlertKinds((kind) => ({ ...rules[kind], threshold: thresholds[kind] ?? rules[kind].threshold })),
  };
  const active_alerts = await findConditions(context, thresholdsFor(settings, WATCHED_KINDS));
  return active_alerts.map((one) => ({ kind: one.kind, text: alertLine(one) }));
}
