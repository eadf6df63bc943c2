import type { RetentionKind } from '#shared/rules/constants';
import { formatDate, formatNumber } from '#shared/rules/formats';
import type { RetentionPreview } from '../data/settings';
import { countOf } from '../ui/labels';

/** Retention settings, in the order of the form. */
export const KINDS: readonly {
  readonly kind: RetentionKind;
  readonly title: string;
  readonly about: string;
}[] = [
  {
    kind: 'delivered',
    title: 'Delivered leads',
    about:
      'Counted from delivery. Leads with an open claim, an owed replacement or an unfinished delivery are kept.',
  },
  { kind: 'pending', title: 'Pending leads', about: 'Counted from arrival. They are discarded.' },
  {
    kind: 'rejected',
    title: 'Deleted and discarded leads',
    about: 'Counted from the day an admin deleted or discarded them.',
  },
];

export const PROOF_TITLE = 'Proof of consent after erasure';

/** "Kept for 90 days", or permanently. */
export function keptText(days: number | null): string {
  return days === null ? 'Kept until deleted' : `Erased after ${countOf(days, 'day')}`;
}

/** What would be erased: "12 leads, from 01.02.2026 to 03.02.2026; 2 as old are kept". */
export function previewText({ leads, held_back, oldest, newest, more }: RetentionPreview): string {
  const kept =
    held_back === 0 ? '' : `; ${formatNumber(held_back)} of that age ${held_back === 1 ? 'is' : 'are'} kept`;
  if (leads === 0 || oldest === null || newest === null) return `Nothing to erase now${kept}`;
  const [from, to] = [oldest, newest].map((instant) => formatDate(new Date(instant)));
  const count = `${more ? 'More than ' : ''}${countOf(leads, 'lead')}`;
  return `Erases ${count}, ${from === to ? `of ${from}` : `from ${from} to ${to}`}${kept}`;
}
