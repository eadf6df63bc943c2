import type { LeadDetails } from '../data/leads';

const CHECKED = { email: 'E-mail', phone: 'Phone', name: 'Name' } as const;
const RESULTS = { valid: 'valid', invalid: 'invalid', unknown: 'uncertain', dead: 'does not exist' } as const;

/** The result of a check of a lead, and the service. */
export const checkText = ({ kind, by, result }: LeadDetails['checks'][number]): string =>
  `${CHECKED[kind]} ${RESULTS[result]} by ${by === 'offline' ? 'the offline check' : by}`;
