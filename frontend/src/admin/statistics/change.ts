import { percentText } from '../ui/labels';

interface Change {
  readonly arrow: string;
  /** Next to the arrow. */
  readonly sign: string;
  readonly words: string;
}

/** How much a figure changed. There is no percentage of 0. */
export function changeOf(now: number, before: number): Change {
  if (now === before) return { arrow: '=', sign: 'unchanged', words: 'unchanged' };
  if (before === 0) return { arrow: '↑', sign: 'from 0', words: 'up from 0' };
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  const sign = percent === 0 ? 'under 1%' : percentText(percent);
  return now > before
    ? { arrow: '↑', sign, words: `up ${sign}` }
    : { arrow: '↓', sign, words: `down ${sign}` };
}
