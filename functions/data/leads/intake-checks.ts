/**
 * The checks of a lead, packed into three letters each for subject, service and result, and the seconds after the
 * intake if more than a minute. `eovptdnov@2s`: the address by the product, the number by Twilio, which is dead, the
 * name, after 100 seconds. Each kilobyte of a lead costs a write unit at its intake.
 */
import type { Checked } from '#functions/data/claims/evidence';
import type { Lead } from '#functions/data/leads/lead';
import { CHECK_KINDS, CHECK_RESULTS, CHECKERS } from '#shared/rules/constants';

const KINDS: Readonly<Record<Checked['kind'], string>> = { email: 'e', phone: 'p', name: 'n' };
const BY: Readonly<Record<Checked['by'], string>> = {
  offline: 'o',
  ZeroBounce: 'z',
  Twilio: 't',
  NameAPI: 'a',
};
const RESULTS: Readonly<Record<Checked['result'], string>> = {
  valid: 'v',
  invalid: 'i',
  unknown: 'u',
  dead: 'd',
};

const AT_ONCE_MS = 60_000;
const LETTERS = 3;
const BASE = 36;

/** @returns undefined if nothing was checked */
export function packChecks(
  checks: readonly Omit<Checked, 'at'>[],
  receivedAt: string,
  at: Date,
): string | undefined {
  if (checks.length === 0) return undefined;
  const later = at.getTime() - Date.parse(receivedAt);
  const letters = checks.map(({ kind, by, result }) => KINDS[kind] + BY[by] + RESULTS[result]).join('');
  return later <= AT_ONCE_MS ? letters : `${letters}@${Math.floor(later / 1000).toString(BASE)}`;
}

/** Empty for leads from before November 2026. */
export function unpackChecks({ checks = '', received_at }: Pick<Lead, 'checks' | 'received_at'>): Checked[] {
  const [, later = '0'] = checks.split('@');
  const at = new Date(Date.parse(received_at) + Number.parseInt(later, BASE) * 1000).toISOString();
  return resultsIn(checks).map((result) => ({ ...result, at }));
}

export function resultsIn(packed: string): Omit<Checked, 'at'>[] {
  const [letters = ''] = packed.split('@');
  return Array.from({ length: Math.floor(letters.length / LETTERS) }, (_, index) => {
    const [kind, by, result] = letters.slice(index * LETTERS);
    return {
      kind: CHECK_KINDS.find((one) => KINDS[one] === kind),
      by: CHECKERS.find((one) => BY[one] === by),
      result: CHECK_RESULTS.find((one) => RESULTS[one] === result),
    };
  }).flatMap(({ kind, by, result }) =>
    kind === undefined || by === undefined || result === undefined ? [] : [{ kind, by, result }],
  );
}
