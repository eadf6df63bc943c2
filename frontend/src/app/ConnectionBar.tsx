import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { formatDate, formatDateTime } from '#shared/rules/formats';
import classes from './ConnectionBar.module.css';
import { connection } from './connection';

interface Texts {
  readonly label: string;
  readonly down: (since: string) => string;
  readonly check: string;
}

export const CONNECTION_EN: Texts = {
  label: 'Connection',
  down: (since) =>
    `Cannot reach the server since ${since}. Nothing can be saved. This page reconnects by itself.`,
  check: 'Try now',
};

export const CONNECTION_DE: Texts = {
  label: 'Verbindung',
  down: (since) =>
    `Der Server ist seit ${since} Uhr nicht erreichbar. Die Seite verbindet sich von selbst wieder.`,
  check: 'Jetzt versuchen',
};

/** Undefined while the server answers. */
export const useDownSince = () => useSyncExternalStore(connection.subscribe, connection.downSince);

/** At the bottom of every page while the server does not answer. Everything is fetched again once it does. */
export function ConnectionBar({ texts }: { readonly texts: Texts }) {
  const since = useDownSince();
  const queries = useQueryClient();
  useEffect(() => {
    const events = { offline: connection.unanswered, online: connection.check };
    for (const [name, act] of Object.entries(events)) addEventListener(name, act);
    return () => {
      for (const [name, act] of Object.entries(events)) removeEventListener(name, act);
    };
  }, []);
  useEffect(() => {
    if (since === undefined) return undefined;
    return () => void queries.invalidateQueries();
  }, [since, queries]);
  return (
    <div role="status" aria-label={texts.label}>
      {since && (
        <div className={classes.bar}>
          {texts.down(timeText(since))}
          <button type="button" className={classes.check} onClick={() => void connection.check()}>
            {texts.check}
          </button>
        </div>
      )}
    </div>
  );
}

/** With the day, unless it is today. */
function timeText(since: Date): string {
  return formatDateTime(since).replace(`${formatDate(new Date())}, `, '');
}
