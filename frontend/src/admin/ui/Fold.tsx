import { type ReactNode, type ToggleEvent, useState } from 'react';
import classes from './Fold.module.css';

interface Props {
  readonly title: string;
  /** What is set within, in one line. */
  readonly summary?: string | undefined;
  /** An invalid value within keeps it open. */
  readonly isWrong?: boolean;
  readonly children: ReactNode;
}

/** A group of a form that is closed at first. */
export function Fold({ title, summary, isWrong = false, children }: Props) {
  const [open, setOpen] = useState(false);
  const toggled = ({ currentTarget: group }: ToggleEvent<HTMLDetailsElement>) => {
    // Otherwise the invalid field could not get the focus when the form is submitted again.
    if (isWrong) group.open = true;
    setOpen(group.open);
  };
  return (
    <details className={classes.fold} open={open || isWrong} onToggle={toggled}>
      <summary>
        <span className={classes.title}>{title}</span>
        <span className={classes.summary}>{summary}</span>
      </summary>
      <div className={classes.content}>{children}</div>
    </details>
  );
}
