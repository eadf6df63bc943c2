/** German formats, in Berlin time. */
import { lazy } from '#shared/rules/lazy';

export const TIME_ZONE = 'Europe/Berlin';

const DAY = { timeZone: TIME_ZONE, day: '2-digit', month: '2-digit', year: 'numeric' } as const;

const date = lazy(() => new Intl.DateTimeFormat('de-DE', DAY));
const dateTime = lazy(() => new Intl.DateTimeFormat('de-DE', { ...DAY, hour: '2-digit', minute: '2-digit' }));
const euro = lazy(() => new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }));
const wholeEuro = lazy(
  () =>
    new Intl.NumberFormat('de-DE', {
      style: 'currency',
      currency: 'EUR',
      maximumFractionDigits: 0,
    }),
);
const number = lazy(() => new Intl.NumberFormat('de-DE', { maximumFractionDigits: 2 }));

/** `14.05.2025` */
export function formatDate(instant: Date): string {
  return date().format(instant);
}

/** `14.05.2025, 09:30` */
export function formatDateTime(instant: Date): string {
  return dateTime().format(instant);
}

/** `1.234,56 €`, from euro. */
export function formatEuro(amount: number): string {
  return euro().format(amount);
}

/** `25.000 €` or `25.000,50 €`, from euro, not cents. */
export function formatEuroShort(amount: number): string {
  return Number.isInteger(amount) ? wholeEuro().format(amount) : euro().format(amount);
}

/** `1.234,5` */
export function formatNumber(value: number): string {
  return number().format(value);
}

/** `12500`, `12500.5`, `12500,50`, `12.500` or `12.500,50`. A dot before exactly three digits separates thousands. */
export function parseGermanNumber(value: string): number | undefined {
  const input = value.trim().replace(/\s|€/g, '');
  if (/^-?\d+(,\d+)?$/.test(input)) return Number(input.replace(',', '.'));
  if (/^-?\d{1,3}(\.\d{3})+(,\d+)?$/.test(input)) return Number(input.replaceAll('.', '').replace(',', '.'));
  if (/^-?\d+\.\d+$/.test(input)) return Number(input);
  return undefined;
}

/** A typed number of at least 0, or empty. */
export function isAmountOrEmpty(value: string): boolean {
  const amount = parseGermanNumber(value);
  return value.trim() === '' || (amount !== undefined && amount >= 0);
}
