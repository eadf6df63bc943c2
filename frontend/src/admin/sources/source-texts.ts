import type { Source } from '../data/sources';
import type { Tone } from '../ui/Tag';

/** What each state of a source means. */
export const STATES = {
  test: {
    text: 'Test',
    tone: 'info',
    about:
      'Each lead is checked, and the answer says what would happen. Nothing is stored, counted or delivered.',
  },
  live: { text: 'Live', tone: 'good', about: 'Leads are accepted and distributed to buyers.' },
  paused: {
    text: 'Paused',
    tone: 'wait',
    about: 'Every lead is refused. Existing leads stay, and the keys stay valid.',
  },
} as const satisfies Record<Source['state'], { text: string; tone: Tone; about: string }>;
