/**
 * Alerts: what admins are told by e-mail and push, once for each occasion. An occasion begins with the transaction that also writes
 * the notices about it, so neither a crash nor two runs tell it twice, and it ends when it is no longer so, or no longer asked for;
 * then the next one may be told.
 */
import type { AlertSettings, AlertStore, Occasion } from '#functions/data/alerts/alert-store';
import type { NoticeStore } from '#functions/data/deliveries/notice-store';
import type { Put, Table } from '#functions/data/table/table';
import {
  type Asked,
  type ConditionDeps,
  type Found,
  findConditions,
  isWatched,
  type WatchedKind,
} from '#functions/domain/alerts/conditions';
import { type Summary, type SummaryDeps, summaryOf } from '#functions/domain/alerts/summary';
import type { Runtime } from '#functions/runtime';
import { ALERT_MEDIA, type AlertKind, type AlertMedium } from '#shared/rules/constants';
import { addDays, berlinDay, berlinHour } from '#shared/rules/working-days';

/** What an alert says; without personal data. */
export interface AlertText {
  readonly title: string;
  readonly lines: readonly string[];
}

export interface AlertTexts {
  /** Of one or more things that are so. */
  found(found: readonly Found[]): AlertText;
  summary(summary: Summary): AlertText;
}

interface TellDeps {
  readonly table: Pick<Table, 'transact'>;
  readonly alerts: AlertStore;
  readonly notices: Pick<NoticeStore, 'created'>;
  readonly runtime: Pick<Runtime, 'now' | 'newId'>;
}

export type AlertDeps = TellDeps & ConditionDeps & SummaryDeps & { readonly texts: AlertTexts };

/** Each occasion is a write of a transaction, which has a hundred at most. */
const OCCASIONS_PER_ALERT = 40;

export const isOn = (settings: AlertSettings, kind: AlertKind): boolean =>
  ALERT_MEDIA.some((medium) => settings[kind][medium]);

/** The thresholds of these kinds. */
export function askedOf(settings: AlertSettings, kinds: readonly WatchedKind[]): Asked {
  return new Map(kinds.map((kind) => [kind, settings[kind].threshold ?? 0]));
}

/**
 * Looks for what is to be told now, and writes the notices. Repeatable; several at once tell nothing twice.
 * @param kinds what to look for
 * @returns how many notices were written
 */
export async function raiseAlerts(deps: AlertDeps, kinds: readonly WatchedKind[]): Promise<number> {
  const [{ version: _, ...settings }, occasions] = await Promise.all([
    deps.alerts.settings(),
    deps.alerts.occasions(),
  ]);
  const due = kinds.filter((kind) => isOn(settings, kind));
  const open = new Map(occasions.map((occasion) => [nameOf(occasion), occasion]));
  const found = await findConditions(deps, askedOf(settings, due), (kind, subject) =>
    open.has(nameOf({ kind, subject })),
  );
  await endOccasions(deps, settings, occasions, due, found);
  const fresh = found.filter((one) => !open.has(nameOf(one)));
  let written = await raiseSummary(deps, settings);
  for (let start = 0; start < fresh.length; start += OCCASIONS_PER_ALERT) {
    const part = fresh.slice(start, start + OCCASIONS_PER_ALERT);
    const since = deps.runtime.now().toISOString();
    const notices = noticesOf(deps, (medium) => {
      const asked = part.filter(({ kind }) => settings[kind][medium]);
      return asked.length === 0 ? undefined : deps.texts.found(asked);
    });
    // It fails where another run was faster; what that one did not find is told by the next one.
    const { ok } = await deps.table.transact([
      ...part.map(({ kind, subject }) => deps.alerts.occasionBegan({ kind, subject, since })),
      ...notices,
    ]);
    if (ok) written += notices.length;
  }
  return written;
}

const nameOf = ({ kind, subject }: Pick<Occasion, 'kind' | 'subject'>) => `${kind}#${subject}`;

/** Ends those that are not asked for any more, and those that were looked for and not found. */
async function endOccasions(
  deps: AlertDeps,
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
      await deps.alerts.occasionOver(occasion);
  }
}

/** The summary of yesterday, once a day from its hour on. */
async function raiseSummary(deps: AlertDeps, settings: AlertSettings): Promise<number> {
  const { threshold } = settings.daily_summary;
  const now = deps.runtime.now();
  if (!isOn(settings, 'daily_summary') || berlinHour(now) < (threshold ?? 0)) return 0;
  const today = berlinDay(now);
  if (((await deps.alerts.summaryDay()) ?? '') >= today) return 0;
  const text = deps.texts.summary(
    await summaryOf(deps, addDays(today, -1), settings.order_nearly_full.threshold ?? 0),
  );
  const notices = noticesOf(deps, (medium) => (settings.daily_summary[medium] ? text : undefined));
  const { ok } = await deps.table.transact([deps.alerts.summarySent(today), ...notices]);
  return ok ? notices.length : 0;
}

type HappenedDeps = Pick<TellDeps, 'alerts' | 'notices' | 'runtime'>;

/** The notices about what is just happening, as far as its kind is switched on, for its transaction. */
export async function noticesFor(deps: HappenedDeps, kind: AlertKind, text: AlertText): Promise<Put[]> {
  const settings = await deps.alerts.settings();
  return noticesOf(deps, (medium) => (settings[kind][medium] ? text : undefined));
}

/** Tells what has just happened, as far as its kind is switched on. @throws Error when the table did not respond */
export async function tell(
  deps: HappenedDeps & { readonly table: Pick<Table, 'put'> },
  kind: AlertKind,
  text: AlertText,
): Promise<void> {
  for (const notice of await noticesFor(deps, kind, text)) await deps.table.put(notice);
}

function noticesOf(
  { notices, runtime }: Pick<TellDeps, 'notices' | 'runtime'>,
  textFor: (medium: AlertMedium) => AlertText | undefined,
): Put[] {
  const alert = runtime.newId();
  return ALERT_MEDIA.flatMap((medium) => {
    const text = textFor(medium);
    return text === undefined
      ? []
      : [
          notices.created(
            { about: 'alert', alert, medium, title: text.title, lines: [...text.lines] },
            runtime.now(),
          ),
        ];
  });
}
