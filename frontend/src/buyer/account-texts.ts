import type { MissedReason } from '#shared/rules/constants';
import { formatNumber } from '#shared/rules/formats';
import { orderNumberText } from '#shared/rules/order-texts';
import { formatDay } from '#shared/rules/working-days';
import { count, de } from './messages';

/** Loaded with a panel. */
export const accountTexts = {
  loadFailed: 'Die Angaben konnten nicht geladen werden.',
  retry: de.loadFailed.retry,
  days: (from: string, to: string) =>
    from === to ? formatDay(from) : `${formatDay(from)} bis ${formatDay(to)}`,
  share: {
    agreed: 'Vereinbarter Anteil',
    percent: (value: number) => `${formatNumber(value)} %`,
    order: 'Diese Bestellung',
    lastDays: 'Letzte 30 Tage',
    entitled: 'Anspruch',
    received: 'Erhalten',
    receivedShare: 'Erhaltener Anteil',
    distance: 'Abweichung',
    leads: (value: number) => count(value, 'Lead', 'Leads'),
    ahead: (value: number) => `${count(value, 'Lead', 'Leads')} mehr`,
    behind: (value: number) => `${count(value, 'Lead', 'Leads')} weniger`,
    even: 'ausgeglichen',
    byHand: (value: number) => `Zusätzlich von Hand zugeteilt: ${count(value, 'Lead', 'Leads')}.`,
    missed: (all: number, parts: readonly string[]) =>
      `${formatNumber(all)} nicht für Sie: ${parts.join(', ')}`,
    reasons: {
      limit_reached: 'Bestellung voll',
      below_minimum: 'unter Mindestbetrag',
      above_max_investment: 'über Höchstbetrag',
      outside_term: 'außerhalb Ihrer Laufzeiten',
      source_excluded: 'aus anderer Quelle',
      consent_required: 'ohne Einwilligung für Anrufe',
      already_received: 'Person bereits erhalten',
      already_known: 'Person bereits bekannt',
      outside_schedule: 'außerhalb Ihrer Zeiten',
      daily_cap_reached: 'Tagesmenge erreicht',
      weekly_cap_reached: 'Wochenmenge erreicht',
    } satisfies Record<MissedReason, string>,
    explained:
      'Es zählen die Leads, für die Sie in Frage kamen. Eine Abweichung von einem Lead ist üblich und gleicht sich mit den nächsten Leads aus.',
    asOf: (day: string) => `Stand: Ende des ${formatDay(day)}. Gezählt werden ganze Tage und ganze Leads.`,
    tooEarly: 'Die ersten Angaben erscheinen morgen: Gezählt werden ganze Tage.',
  },
  statement: {
    titleOf: (buyerId: string) => `${de.account.statement} ${buyerId}`,
    sumOfAll: 'Summe aller Bestellungen',
    owed: 'Offene Ersatzleads',
    balance: 'davon ohne Bestellung',
    order: (number: number) => `Bestellung ${orderNumberText(number)}`,
    opened: (day: string) => `vom ${day}`,
    price: (amount: string) => `${amount} je Lead`,
    noPrice: 'ohne Preis',
    owedByOrder: (value: number) => `${count(value, 'Ersatzlead', 'Ersatzleads')} offen`,
    deleted: de.orderStatus.Deleted,
    noLines: 'Noch keine Leads und Reklamationen.',
    month: 'Monat',
    monthOf: (month: string) =>
      new Intl.DateTimeFormat(de.locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
        new Date(`${month}-15T00:00:00Z`),
      ),
    noMonth: 'wird gerade gebucht',
    total: 'Gesamt',
    delivered: 'Geliefert',
    claimed: 'Reklamiert',
    approved: 'Genehmigt',
    rejected: 'Abgelehnt',
    replaced: 'Ersetzt',
    sum: 'Summe',
    owedSince: (claim: number, day: string, days: number) =>
      `Reklamation #${claim}, genehmigt am ${day}, offen seit ${count(days, 'Tag', 'Tagen')}`,
    explained:
      'Leads zählen im Monat der Lieferung, Reklamationen im Monat der Einreichung mit ihrem heutigen Stand. Ersatzleads und gelöschte Leads werden nicht berechnet.',
    asOf: (time: string) => `Stand: ${time} Uhr.`,
    download: (format: string) => de.exports.as(de.account.statement, format),
    print: de.exports.print,
  },
} as const;
