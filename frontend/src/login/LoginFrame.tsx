import type { ReactNode } from 'react';
import { CompanyFooter } from '../app/CompanyFooter';
import classes from './LoginFrame.module.css';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page without a session: a card in the middle. Like a buyer's page it does not load the component library. */
export function LoginFrame({ title, children }: Props) {
  return (
    <main className={`plain-page ${classes.page}`}>
      <title>{`${title} · Lead Distribution`}</title>
      <div className={classes.card}>{children}</div>
      <CompanyFooter language="en" />
    </main>
  );
}

export function LoginHead({ title, children }: Props) {
  return (
    <div className={classes.head}>
      <img src="/favicon.svg" width={40} height={40} alt="" />
      <h1>{title}</h1>
      {children}
    </div>
  );
}
