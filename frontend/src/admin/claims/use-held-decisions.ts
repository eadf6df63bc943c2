import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { AFFECTED_BY_DECISION } from '../data/calls';
import { decideClaim, forgetClaimNotes } from '../data/claims';
import { type HeldDecision, HeldDecisions } from '../data/held-decisions';
import { useRefresh } from '../data/mutation';
import { errorText, useNotifications } from '../notifications';
import { OUTCOME } from '../texts';

/**
 * Decisions that can be undone for five seconds. Leaving the screen, the tab or the page sends them at once, so that none
 * is lost.
 */
export function useHeldDecisions(): [HeldDecisions, readonly HeldDecision[]] {
  const queries = useQueryClient();
  const notifications = useNotifications();
  const refresh = useRefresh();
  const [held] = useState(
    () =>
      new HeldDecisions(async (decision) => {
        try {
          await decideClaim(decision);
          forgetClaimNotes(queries, decision.claimId);
        } catch (error) {
          notifications.error(OUTCOME.undecided(decision.claimId, errorText(error)));
        }
        await refresh(AFFECTED_BY_DECISION);
      }),
  );
  useEffect(() => {
    const leave = () => held.sendAll();
    const hide = () => {
      if (document.visibilityState === 'hidden') leave();
    };
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', hide);
    return () => {
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', hide);
      leave();
    };
  }, [held]);
  return [held, useSyncExternalStore(held.subscribe, held.snapshot)];
}
