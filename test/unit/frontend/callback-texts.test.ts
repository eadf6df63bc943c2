import { expect, it } from 'vitest';
import { eventText } from '#frontend/admin/lead/callback-texts';

it('an event says what the buyer reported', () => {
  const feedback = (said: Parameters<typeof eventText>[0]['feedback']) =>
    eventText({ event: 'lead.feedback', feedback: said });
  expect(feedback('not_reached')).toBe('Feedback: not reached');
  expect(feedback(null)).toBe('Feedback: taken back');
  expect(eventText({ event: 'claim.approved', feedback: null })).toBe('Claim approved');
});
