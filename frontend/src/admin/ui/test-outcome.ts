import type { TestOutcome } from '../data/deliveries';

/** `Refused (status 401, ...)` */
export function testOutcomeText({ outcome, status_code, answer }: TestOutcome): string {
  const details = [status_code === null ? '' : `status ${status_code}`, answer ?? '']
    .filter((part) => part !== '')
    .join(', ');
  return details === '' ? OUTCOME_TEXT[outcome] : `${OUTCOME_TEXT[outcome]} (${details})`;
}

const OUTCOME_TEXT = {
  delivered: 'Delivered',
  transient: 'Failed, and would be tried again',
  permanent: 'Refused',
  unknown: 'No clear answer',
} as const satisfies Record<TestOutcome['outcome'], string>;
