import { useCallback } from 'react';
import { sessionLost } from '../../app/api';
import { obstacle, reloadOnce } from '../../app/code-recovery';
import { CodeNotLoaded } from '../../ui/lazy-component';
import { useNotifications } from '../notifications';
import { TROUBLE } from '../texts';
import { hasUnsaved } from './unsaved-changes';

/**
 * Handles a failure to open a dialog. If its code could not be loaded, reloads the page once, unless typed text would be
 * lost.
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
