import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import { ApiError } from '../app/api';
import { polled, REFETCH_INTERVAL_MS } from '../app/query-client';
import { failureText } from './failure-text';
import { loadView } from './load-view';
import { de } from './messages';
import type { LeadsView } from './view';

/** Long lists are large answers. */
const MAX_REFETCH_INTERVAL_MS = 12_000;
const REFETCH_INTERVAL_PER_LEAD_MS = 2;

const keyOf = (token: string) => ['leads-view', token] as const;

/** Refreshed every few seconds while the page is visible. */
export function useLeadsView(token: string) {
  return useQuery({
    queryKey: keyOf(token),
    queryFn: ({ signal }) => loadView(token, signal),
    refetchInterval: ({ state }) =>
      isUnknownLink(state.error)
        ? false
        : polled(
            Math.min(
              Math.max(REFETCH_INTERVAL_MS, REFETCH_INTERVAL_PER_LEAD_MS * sizeOf(state.data)),
              MAX_REFETCH_INTERVAL_MS,
            ),
          )(),
  });
}

/** Optimistic where the result is known, then refreshed. */
export function useViewUpdates(token: string) {
  const queries = useQueryClient();
  const refresh = useCallback(() => queries.invalidateQueries({ queryKey: keyOf(token) }), [queries, token]);
  const show = useCallback(
    async (leadId: string, change: (lead: ViewedLead) => ViewedLead) => {
      // An older answer in flight would undo the change.
      await queries.cancelQueries({ queryKey: keyOf(token) });
      queries.setQueryData<LeadsView>(keyOf(token), (view) => view && patched(view, leadId, change));
    },
    [queries, token],
  );
  const patch = useCallback(
    async (leadId: string, change: Partial<ViewedLead>) => {
      await show(leadId, (lead) => ({ ...lead, ...change }));
      await refresh();
    },
    [show, refresh],
  );
  return { refresh, show, patch };
}

/** It never existed, was renewed, or is no link. */
export function isUnknownLink(error: unknown): boolean {
  return error instanceof ApiError && [400, 403, 404, 410].includes(error.status);
}

/** Undefined: no code required. */
export function codeSentTo(error: unknown): string | undefined {
  return error instanceof ApiError && error.code === 'link_code_required'
    ? (error.fields.email ?? '')
    : undefined;
}

export function errorText(error: unknown): string {
  return error instanceof ApiError ? failureText(error) : de.serverFailed;
}

/** Claim windows follow the server's time, not the phone's. */
export function useServerNow(view: LeadsView, answeredAt: number): Date {
  const [tick, setTick] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setTick(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  return new Date(Date.parse(view.now) + Math.max(0, tick - answeredAt));
}

function patched(view: LeadsView, leadId: string, change: (lead: ViewedLead) => ViewedLead): LeadsView {
  const apply = (lead: ViewedLead) => (lead.lead_id === leadId ? change(lead) : lead);
  return {
    ...view,
    leads: { original: view.leads.original.map(apply), reimbursement: view.leads.reimbursement.map(apply) },
  };
}

function sizeOf(view: LeadsView | undefined): number {
  return view === undefined ? 0 : view.leads.original.length + view.leads.reimbursement.length;
}
