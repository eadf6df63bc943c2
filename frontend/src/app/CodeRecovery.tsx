import { type ReactNode, useEffect, useState } from 'react';
import { ErrorBoundary, Failure } from '../ui/ErrorBoundary';
import { LoadingScreen } from '../ui/LoadingScreen';
import { CodeNotLoaded } from '../ui/lazy-component';
import { nextChance, obstacle, reloadOnce } from './code-recovery';

interface Texts {
  readonly checking: string;
  readonly noConnection: string;
  readonly reloading: string;
  readonly failed: string;
  readonly action: string;
}

export const RECOVERY_EN: Texts = {
  checking: 'Loading...',
  noConnection: 'This screen cannot be loaded offline. It appears once the connection is back.',
  reloading: 'A newer version of this screen is loading.',
  failed: 'The page could not be shown.',
  action: 'Reload',
};

export const RECOVERY_DE: Texts = {
  checking: 'Wird geladen …',
  noConnection:
    'Die Seite konnte ohne Verbindung nicht geladen werden. Sie erscheint, sobald die Verbindung wieder da ist.',
  reloading: 'Es gibt eine neuere Version der Seite. Sie wird geladen.',
  failed: 'Die Seite konnte nicht angezeigt werden.',
  action: 'Neu laden',
};

interface RecoveryProps {
  readonly texts: Texts;
  /** The missing code belongs to the admin app. */
  readonly needsSession?: boolean;
}

/**
 * If code could not be loaded: reloads the page once, as soon as there is a connection. Without a session it opens the login
 * page.
 */
function CodeRecovery({ texts, needsSession = false }: RecoveryProps) {
  const [state, setState] = useState<Exclude<keyof Texts, 'action'>>('checking');

  useEffect(() => {
    const stop = new AbortController();
    const recover = async () => {
      for (;;) {
        const found = await obstacle(needsSession, stop.signal);
        if (stop.signal.aborted) return;
        if (found === 'no-session') return window.location.replace('/');
        if (found === undefined) return setState(reloadOnce() ? 'reloading' : 'failed');
        setState('noConnection');
        await nextChance(stop.signal);
      }
    };
    void recover();
    return () => stop.abort();
  }, [needsSession]);

  if (state === 'checking') return <LoadingScreen text={texts.checking} />;
  return <Failure text={texts[state]} action={texts.action} />;
}

interface BoundaryProps extends RecoveryProps {
  readonly children: ReactNode;
}

/** Around every page: says what failed, or loads the code again. */
export function PageBoundary({ children, ...recovery }: BoundaryProps) {
  const { texts } = recovery;
  const fallback = (error: unknown) =>
    error instanceof CodeNotLoaded ? (
      <CodeRecovery {...recovery} />
    ) : (
      <Failure text={texts.failed} action={texts.action} />
    );
  return <ErrorBoundary fallback={fallback}>{children}</ErrorBoundary>;
}
