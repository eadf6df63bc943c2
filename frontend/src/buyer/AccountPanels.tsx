import { type ReactNode, Suspense, useState } from 'react';
import { STATEMENT_QUERY } from '#shared/contract/web-headers';
import { lazyComponent } from '../ui/lazy-component';
import classes from './AccountPanels.module.css';
import { de } from './messages';
import page from './page.module.css';

const ShareView = lazyComponent(async () => (await import('./ShareView')).ShareView);
const StatementView = lazyComponent(async () => (await import('./StatementView')).StatementView);

const NotificationPreferences = lazyComponent(
  async () => (await import('./NotificationPreferences')).NotificationPreferences,
);

/** Loaded when opened, because few buyers open them daily. */
export function AccountPanels({ token, buyerId }: { readonly token: string; readonly buyerId: string }) {
  return (
    <div className={classes.panels}>
      <Panel title={de.account.share}>
        <ShareView token={token} />
      </Panel>
      <Panel title={de.account.statement} opens={STATEMENT_QUERY}>
        <StatementView token={token} buyerId={buyerId} />
      </Panel>
      <Panel title={de.account.notifications}>
        <NotificationPreferences token={token} />
      </Panel>
    </div>
  );
}

interface PanelProps {
  readonly title: string;
  /** The query string that opens it. */
  readonly opens?: string;
  readonly children: ReactNode;
}

function Panel({ title, opens, children }: PanelProps) {
  const [open, setOpen] = useState(() => opens !== undefined && location.search === `?${opens}`);
  return (
    <details
      className={`${page.fold} ${classes.panel}`}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary data-screen>
        <h2>{title}</h2>
      </summary>
      {open && (
        <div className={classes.content}>
          <Suspense fallback={<output>{de.loading}</output>}>{children}</Suspense>
        </div>
      )}
    </details>
  );
}
