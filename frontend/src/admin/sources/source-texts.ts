import type { Source } from '../data/sources';
import type { Tone } from '../ui/Tag';

/** What each state of a source means. */
export const STATES = {
  test: {
    text: 'Test',
    tone: 'info',
    about:
      'Each lead is checked and answered with what would happen to it. Nothing is stored, counted or delivered.',
  },
  live: { text: 'Live', tone: 'good', about: 'Leads are taken in and go to the buyers.' },
  paused: {
    text: 'Paused',
    tone: 'wait',
    about: 'Every lead is refused. What has come in stays, and its keys stay valid.',
  },
} as const satisfies Record<Source['state'], { text: string; tone: Tone; about: string }>;
