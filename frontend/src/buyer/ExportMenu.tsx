import { type ComponentProps, Suspense, useState } from 'react';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { lazyComponent } from '../ui/lazy-component';
import classes from './ExportMenu.module.css';
import { de } from './messages';
import { notLoaded } from './not-loaded';
import page from './page.module.css';

const Exports = lazyComponent(async () => (await import('./Exports')).Exports);

export function ExportMenu(props: ComponentProps<typeof Exports>) {
  const [isOpened, setOpened] = useState(false);
  return (
    <>
      <button type="button" className={page.tool} popoverTarget="exports">
        {de.exports.title}
      </button>
      <div id="exports" popover="auto" data-screen className={classes.menu} onToggle={() => setOpened(true)}>
        <ErrorBoundary fallback={notLoaded}>
          <Suspense>{isOpened && <Exports {...props} />}</Suspense>
        </ErrorBoundary>
      </div>
    </>
  );
}
