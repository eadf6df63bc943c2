import type { ClaimStatus, Feedback } from '#shared/rules/constants';

/** Names of colours in page.module.css. */
const TONES = {
  pending: 'wait',
  approved: 'ok',
  rejected: 'no',
  reached: 'accent',
  not_reached: 'wait',
  closed: 'ok',
} as const satisfies Record<ClaimStatus | Feedback, string>;

export const tint = (state: ClaimStatus | Feedback) => ({
  background: `var(--${TONES[state]}-bg)`,
  color: `var(--${TONES[state]})`,
});
