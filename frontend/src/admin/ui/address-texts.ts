import type { AddressStateRow } from '#shared/contract/rows/address-state';
import { formatDate } from '#shared/rules/formats';

export const ADDRESS_STATES: Readonly<Record<string, string>> = {
  bounced_soft: 'E-mails are sometimes returned',
  bounced_hard: 'E-mails are returned',
  complained: 'Marked an e-mail as spam',
};

/** The text of a tag. */
export const addressTag = ({ state }: AddressStateRow): string => ADDRESS_STATES[state] ?? state;

/** An address's problem, since when, and why. */
export function addressText(row: AddressStateRow): string {
  const { state, since, by, code, diagnostic, count } = row;
  const times = count === 1 ? '' : `, ${count === 10 ? '10 times or more' : `${count} times`}`;
  const why = diagnostic ?? code;
  const who = by === 'ses' ? 'SES' : 'its mail server';
  return `${ADDRESS_STATES[state]} since ${formatDate(new Date(since))}${times}, says ${who}${why === null ? '' : `: ${why}`}`;
}
