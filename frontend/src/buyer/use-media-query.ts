import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

/** Below this width leads are cards. */
export const CARD_LAYOUT = '(max-width: 1179px)';

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** Paper needs all rows, before `beforeprint` returns. */
export function usePrinting(): boolean {
  const [started, setStarted] = useState(false);
  const onPaper = useMediaQuery('print');
  useEffect(() => {
    const start = () => flushSync(() => setStarted(true));
    const end = () => setStarted(false);
    window.addEventListener('beforeprint', start);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', start);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return started || onPaper;
}
