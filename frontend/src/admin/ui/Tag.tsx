import type { ReactNode } from 'react';
import classes from './Tag.module.css';

/** Done, waiting, refused, a fact, something special (a replacement), or neutral. */
export type Tone = 'good' | 'wait' | 'bad' | 'info' | 'special' | 'neutral';

interface Props {
  readonly tone: Tone;
  /** For a count that must stand out. */
  readonly solid?: boolean;
  readonly title?: string;
  /** For screen readers, if the text alone is unclear. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** A word on a tinted background: a state, a type or a count. Its colours are in `ui/base.css`. */
export function Tag({ tone, solid = false, title, label, children }: Props) {
  return (
    <span
      className={classes.tag}
      data-tone={tone}
      data-solid={solid || undefined}
      style={solid ? undefined : { background: `var(--tone-${tone}-ground)`, color: `var(--tone-${tone})` }}
      title={title}
      {...(label !== undefined && { role: 'img', 'aria-label': label })}
    >
      {children}
    </span>
  );
}
