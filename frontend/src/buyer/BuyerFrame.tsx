import { type ReactNode, useLayoutEffect } from 'react';
import classes from './page.module.css';

/** The frame of every page behind a link of a buyer: in German, and in no search engine. */
export function BuyerFrame({ children }: { readonly children: ReactNode }) {
  useLayoutEffect(() => {
    document.documentElement.lang = 'de';
  }, []);
  return (
    <div className={`plain-page ${classes.page}`} lang="de">
      <meta name="robots" content="noindex, nofollow, noarchive" />
      <meta name="referrer" content="no-referrer" />
      {children}
    </div>
  );
}

interface ButtonProps {
  readonly label: string;
  readonly busy: boolean;
  readonly press: () => void;
}

export function PageButton({ label, busy, press }: ButtonProps) {
  return (
    <button type="button" className={classes.retry} disabled={busy} onClick={press}>
      {label}
    </button>
  );
}
