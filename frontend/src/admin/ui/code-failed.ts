import { useCallback } from 'react';
import { sessionLost } from '../../app/api';
import { obstacle, reloadOnce } from '../../app/code-recovery';
import { CodeNotLoaded } from '../../ui/lazy-component';
import { useNotifications } from '../notifications';
import { TROUBLE } from '../texts';
import { hasUnsaved } from './unsaved-changes';

/**
 * What follows when a dialog threw something. Where its code could not be loaded the page is loaded again, once, unless
 * something typed would be lost.
 */
export function useCodeFailed(): (error: unknown) => void {
  const notifications = useNotifications();
  return useCallback(
    async (error: unknown) => {
      if (!(error instanceof CodeNotLoaded)) return notifications.error(TROUBLE.loadData);
      const found = await obstacle(true);
      if (found === 'no-session') sessionLost();
      else if (found === 'no-connection') notifications.error(TROUBLE.openOffline);
      else if (hasUnsaved() || !reloadOnce()) notifications.error(TROUBLE.openOutdated);
    },
    [notifications],
  );
}
