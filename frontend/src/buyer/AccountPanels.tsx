import { Suspense, useEffect, useRef, useState } from 'react';
import { STATEMENT_QUERY } from '#shared/contract/web-headers';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { lazyComponent } from '../ui/lazy-component';
import classes from './AccountPanels.module.css';
import { de } from './messages';
import { notLoaded } from './not-loaded';
import { Tabs, tabId } from './Tabs';

const ShareView = lazyComponent(async () => (await import('./ShareView')).ShareView);
const StatementView = lazyComponent(async () => (await import('./StatementView')).StatementView);

const NotificationPreferences = lazyComponent(
  async () => (await import('./NotificationPreferences')).NotificationPreferences,
);

const TABS = ['share', 'statement', 'notifications'] as const;
type Tab = (typeof TABS)[number];

interface Props {
  readonly token: string;
  readonly buyerId: string;
  /** The list above has its height. */
  readonly settled: boolean;
}

/** Loaded when opened, because few buyers open them daily. */
export function AccountPanels({ token, buyerId, settled }: Props) {
  const [tab, setTab] = useState<Tab | undefined>(() =>
    location.search === `?${STATEMENT_QUERY}` ? 'statement' : undefined,
  );
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (tab && settled) place.current?.scrollIntoView();
  }, [tab, settled]);
  return (
    <section ref={place} id="account" aria-label={de.account.title} className={classes.panels}>
      <Tabs
        label={de.account.title}
        panel="account-panel"
        tabs={TABS}
        tab={tab}
        titleOf={(each) => de.account[each]}
        onTab={setTab}
      />
      {tab && (
        <div id="account-panel" role="tabpanel" aria-labelledby={tabId(tab)} className={classes.content}>
          <ErrorBoundary key={tab} fallback={notLoaded}>
            <Suspense fallback={<output>{de.loading}</output>}>
              <Content tab={tab} token={token} buyerId={buyerId} />
            </Suspense>
          </ErrorBoundary>
        </div>
      )}
    </section>
  );
}

function Content({ tab, token, buyerId }: Omit<Props, 'settled'> & { readonly tab: Tab }) {
  switch (tab) {
    case 'share':
      return <ShareView token={token} />;
    case 'statement':
      return <StatementView token={token} buyerId={buyerId} />;
    case 'notifications':
      return <NotificationPreferences token={token} />;
    default:
      return tab satisfies never;
  }
}
