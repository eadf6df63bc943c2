import type { ReactNode } from 'react';
import classes from './ScrollBox.module.css';

/** Scrolls sideways if too wide; reachable by keyboard. */
export function ScrollBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes.box} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
