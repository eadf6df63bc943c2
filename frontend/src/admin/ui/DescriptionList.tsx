import { Fragment, type ReactNode } from 'react';
import classes from './DescriptionList.module.css';

export type DescriptionItem = readonly [name: string, value: ReactNode];

/** Names with their values. */
export function DescriptionList({ facts }: { facts: readonly DescriptionItem[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
