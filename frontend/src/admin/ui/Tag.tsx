import type { ReactNode } from 'react';
import classes from './Tag.module.css';

/** What a tag says: done, waiting, refused, a fact, something special (a replacement), or nothing of these. */
export type Tone = 'good' | 'wait' | 'bad' | 'info' | 'special' | 'neutral';

interface Props {
  readonly tone: Tone;
  /** A count that is to be seen from afar. */
  readonly solid?: boolean;
  readonly title?: string;
  /** For those who cannot see it, where the text alone does not say it. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** A word on a tinted background: a state, a type or a count. Its colours are in `components.css`. */
export function Tag({ tone, solid = false, title, label, children }: Props) {
  return (
    <span
      className={classes.tag}
      data-tone={tone}
      data-solid={solid || undefined}
      title={title}
      {...(label !== undefined && { role: 'img', 'aria-label': label })}
    >
      {children}
    </span>
  );
}
