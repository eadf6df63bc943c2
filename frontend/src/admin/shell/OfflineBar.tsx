import { useSyncExternalStore } from 'react';
import classes from './Shell.module.css';

export function OfflineBar() {
  const isOffline = useSyncExternalStore(subscribe, () => !navigator.onLine);
  return (
    <div role="status" aria-label="Connection">
      {isOffline && (
        <p className={classes.offline}>
          You are offline. Data may be outdated, and changes cannot be saved until the connection is back.
        </p>
      )}
    </div>
  );
}

function subscribe(onChange: () => void): () => void {
  for (const event of ['online', 'offline']) window.addEventListener(event, onChange);
  return () => {
    for (const event of ['online', 'offline']) window.removeEventListener(event, onChange);
  };
}
