import type { EvidenceRow } from '#shared/contract/schemas/claims';

const CHECKED = { email: 'E-mail', phone: 'Phone', name: 'Name' } as const;
const RESULTS = { valid: 'valid', invalid: 'invalid', unknown: 'uncertain', dead: 'does not exist' } as const;

/** The result of a check of a lead, and the service. */
export const checkText = ({ kind, by, result }: EvidenceRow['checks'][number]): string =>
  `${CHECKED[kind]} ${RESULTS[result]} by ${by === 'offline' ? 'the offline check' : by}`;
